import Causeway
import CausewayData
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
  /// The picture of an id never changes, so it stays fresh.
  ///
  /// After a failure, a picture is loaded again when a view appears or the connection returns. A
  /// pause would prevent that load.
  static let picturePolicy = ResourcePolicy(
    freshFor: .seconds(365 * 86_400), failureCoolDown: .zero)

  /// Makes a cache of the images in files.
  static func images(
    in files: ResourceCache<PictureKey, [UInt8]>, decodedBy portraits: Portraits
  ) -> ImageCache {
    ImageCache(
      policy: picturePolicy, size: { _ in Portrait.bytes },
      isTransient: { !($0 is PortraitError) && ResourcePolicy.isTransient($0) }
    ) { key in
      try await portraits.image(Data(try await files.value(for: key)))
    }
  }

  /// Whether the account's connection is lost.
  var isOffline: Bool { model?.page.connection.isOffline ?? false }

  /// Returns a picture; `nil` if there is none, or if it cannot be loaded.
  func image(of picture: PictureKey?) async -> Image? {
    guard let picture else { return nil }
    return try? await images.value(for: picture)
  }

  /// Sends pictures to the shown group, even if the device shows another group or account later.
  var pictureUpload: PictureUpload {
    PictureUpload(
      group: accountStates.value.group ?? "", network: network, portraits: portraits)
  }
}

/// Sends pictures to a group.
struct PictureUpload: Sendable {
  let group: String
  let network: any NetworkService
  let portraits: Portraits

  /// Sends the middle of a photo to the server, and returns the id of the picture.
  func send(_ photo: Data) async throws -> String {
    struct Stored: Decodable, Sendable { var id: String }
    var endpoint = Endpoint<Stored>(.post, "/groups/\(group)/pictures")
    endpoint.request.body = .bytes(
      [UInt8](try await portraits.file(of: photo)), type: "image/jpeg")
    return try await network.value(for: endpoint).id
  }
}
