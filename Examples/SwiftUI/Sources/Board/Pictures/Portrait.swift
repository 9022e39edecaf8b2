import CoreImage
import Foundation
import SwiftUI

/// Decodes photos with one context, because each context has caches of its own.
///
/// Decoding a photo takes longer than a frame of the screen, so it does not run on the main actor.
actor Portraits {
  private let context = CIContext()

  /// Returns the picture for views.
  func image(_ file: Data) throws(PortraitError) -> Image { try Portrait(file).shown(by: context) }

  /// Returns the file for the server.
  func file(of photo: Data) throws(PortraitError) -> Data { try Portrait(photo).jpeg(by: context) }
}

/// The middle of a photo, as a small square.
struct Portrait {
  /// The most pixels on a side: enough for a large badge, and a fast upload.
  private static let side: CGFloat = 256
  /// The memory of a decoded picture.
  static let bytes = 4 * Int(side * side)

  private let image: CIImage

  /// Reads a picture of any format that the system knows.
  init(_ file: Data) throws(PortraitError) {
    guard let photo = CIImage(data: file, options: [.applyOrientationProperty: true]) else {
      throw .unreadable
    }
    let (extent, shorter) = (photo.extent, min(photo.extent.width, photo.extent.height))
    let scale = min(1, Self.side / shorter)
    let side = (shorter * scale).rounded()
    let middle = CGAffineTransform(scaleX: scale, y: scale).translatedBy(
      x: (shorter / 2 - extent.midX).rounded(), y: (shorter / 2 - extent.midY).rounded())
    image = photo.transformed(by: middle, highQualityDownsample: true)
      .cropped(to: CGRect(x: 0, y: 0, width: side, height: side))
  }

  /// Returns the picture for views.
  func shown(by context: CIContext) throws(PortraitError) -> Image {
    guard let pixels = context.createCGImage(image, from: image.extent) else {
      throw .unreadable
    }
    return Image(decorative: pixels, scale: 1)
  }

  /// Returns the file for the server.
  func jpeg(by context: CIContext) throws(PortraitError) -> Data {
    guard let colors = CGColorSpace(name: CGColorSpace.sRGB),
      let file = context.jpegRepresentation(of: image, colorSpace: colors)
    else { throw .unreadable }
    return file
  }
}

/// The reason why a picture cannot be used.
enum PortraitError: Error, CustomStringConvertible {
  /// The system cannot decode the file.
  case unreadable

  var description: String { "This picture cannot be read. Choose another one." }
}
