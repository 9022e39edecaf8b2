import Foundation
import HarborFeatures
import PhotosUI
import SwiftUI

/// The button for a person's own picture.
struct PicturePicker: View {
  let title: String
  /// Receives the id of the picture when the server has it.
  let use: (String) -> Void
  @Environment(Device.self) private var device
  @State private var choice: PhotosPickerItem?
  @State private var problem = ""

  var body: some View {
    PhotosPicker(selection: $choice, matching: .images) { Text(title) }
      .disabled(choice != nil)
      .onChange(of: choice) { upload() }
    if choice != nil { ProgressView("Sending the picture") }
    if !problem.isEmpty { Text(problem).foregroundStyle(.red) }
  }

  private func upload() {
    guard let choice else { return }
    problem = ""
    let upload = device.pictureUpload
    // The upload continues if the person opens another tab.
    Task {
      do {
        let photo = try await choice.loadTransferable(type: Data.self) ?? Data()
        use(try await upload.send(photo))
      } catch {
        problem = Sentence.of(error)
      }
      self.choice = nil
    }
  }
}
