import CausewayData
import Synchronization
import TestSupport

struct PictureID: Hashable, Sendable {
  var account: String
  var url: String
}

struct Draft: Codable, Equatable, Sendable {
  var text: String
}

/// A server of pictures.
///
/// The bytes of each picture are its URL until the picture is changed.
final class PictureServer: Sendable {
  let requests = Log<String>()
  private let version = Mutex(0)

  /// Changes all pictures.
  func change() {
    version.withLock { $0 += 1 }
  }

  func picture(
    _ id: PictureID, unlessMatching etag: String?
  ) async throws -> ResourceAnswer<[UInt8]> {
    requests.append("\(id.url) \(etag ?? "nil")")
    let version = version.withLock { $0 }
    if etag == "v\(version)" { return .notModified() }
    let text = version == 0 ? id.url : "\(id.url) changed \(version)"
    return .value(Array(text.utf8), validator: "v\(version)")
  }
}
