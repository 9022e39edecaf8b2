import CausewayData
import CausewayStreams
import Foundation
import HarborDomain
import HarborFeatures
import SwiftUI

/// A picture of a group.
struct PictureKey: Hashable, Sendable {
  var group, id: String
}

/// The decoded pictures of a device.
typealias ImageCache = ResourceCache<PictureKey, Image>

extension Device {
  /// Makes a cache of the images in files.
  static func images(in files: ResourceCache<PictureKey, [UInt8]>) -> ImageCache {
    ImageCache(size: { _ in Portrait.bytes }) { key in
      try Portrait(Data(try await files.value(for: key))).shown()
    }
  }

  /// Returns a picture; `nil` if there is none, or if it cannot be loaded.
  func image(of picture: PictureKey?) async -> Image? {
    guard let picture else { return nil }
    return try? await images.value(for: picture)
  }

  /// Sends the middle of a photo to the server, and returns the id of the picture.
  func upload(photo: Data) async throws -> String {
    struct Stored: Decodable, Sendable { var id: String }
    let file = try await Self.file(of: photo)
    var endpoint = Endpoint<Stored>(
      .post, "/groups/\(accountStates.value.group ?? "")/pictures")
    endpoint.request.body = .bytes([UInt8](file), type: "image/jpeg")
    return try await network.value(for: endpoint).id
  }

  // Decoding a photo takes longer than a frame of the screen.
  @concurrent private static func file(of photo: Data) async throws -> Data {
    try Portrait(photo).jpeg()
  }
}
