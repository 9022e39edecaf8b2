import CausewayData
import Foundation
import SwiftUI

/// A person's picture, or the initials if there is no picture.
struct PictureView: View {
  let initials: String
  let picture: PictureKey?
  @Environment(Device.self) private var device
  @State private var image: Image?

  /// A picture is loaded again when the connection returns.
  private struct Load: Equatable {
    var picture: PictureKey?
    var isOffline: Bool
  }

  var body: some View {
    ZStack {
      if let image = image ?? picture.flatMap({ device.images.cached($0) }) {
        image.resizable().scaledToFill()
      } else {
        Text(initials).font(.caption)
      }
    }
    .frame(width: 32, height: 32)
    .background(.quaternary, in: Circle())
    .clipShape(Circle())
    .accessibilityHidden(true)  // the name is beside it
    .task(id: Load(picture: picture, isOffline: device.isOffline)) {
      let loaded = await device.image(of: picture)
      if !Task.isCancelled { image = loaded }
    }
  }
}
