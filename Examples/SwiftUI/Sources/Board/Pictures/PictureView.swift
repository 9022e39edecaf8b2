import Foundation
import SwiftUI

/// A person's picture, or the initials as long as there is none.
struct PictureView: View {
  let initials: String
  let picture: PictureKey?
  @Environment(Device.self) private var device
  @State private var image: Image?

  var body: some View {
    ZStack {
      if let image {
        image.resizable().scaledToFill()
      } else {
        Text(initials).font(.caption)
      }
    }
    .frame(width: 32, height: 32)
    .background(.quaternary, in: Circle())
    .clipShape(Circle())
    .accessibilityHidden(true)  // the name is beside it
    .task(id: picture) { image = await device.image(of: picture) }
  }
}
