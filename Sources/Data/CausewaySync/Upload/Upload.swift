public import CausewayBasics
public import CausewayNetwork

/// A file that an outbox sends to a server.
public struct Upload: Sendable, Hashable {
  /// Identifies the upload, the same in each attempt.
  ///
  /// The server stores each part of a key once. A refused upload that is sent again gets a new key.
  public var key: IdempotencyKey
  /// The account that stored the upload.
  public var account: AccountID
  /// The scope of the upload's entry in the outbox.
  public var scope: SyncScope
  /// The name of the file, for the server.
  public var name: String
  /// The media type of the file.
  public var type: String
  /// The size of the file, in bytes.
  public var size: Int
  /// Additional values for the server.
  public var fields: [String: String]

  /// Makes the description of an upload, for example to test an ``UploadServer``.
  public init(
    key: IdempotencyKey, account: AccountID, scope: SyncScope = .upload, name: String, type: String,
    size: Int, fields: [String: String] = [:]
  ) {
    self.key = key
    self.account = account
    self.scope = scope
    self.name = name
    self.type = type
    self.size = size
    self.fields = fields
  }
}

extension SyncScope {
  /// The default scope of uploads.
  ///
  /// Uploads in this scope run one after another, and do not delay the mutations of other scopes.
  public static let upload = SyncScope("causeway: upload")
}

/// A part of a file.
public struct UploadPart: Sendable, Hashable {
  /// The position of the first byte in the file.
  public var offset: Int
  /// The bytes; empty only for an empty file.
  public var bytes: [UInt8]

  /// Makes a part.
  public init(offset: Int, bytes: [UInt8]) {
    self.offset = offset
    self.bytes = bytes
  }
}

/// A server that stores files in parts.
///
/// The implementation must limit the time of each call, and end a call soon after its task is
/// cancelled. ``RemoteFailure/init(_:)`` classifies the errors.
public protocol UploadServer: Sendable {
  /// Returns the number of stored bytes; `nil` if the server has nothing of the upload.
  ///
  /// For a complete upload, this is its size.
  func storedSize(of upload: Upload) async throws -> Int?

  /// Stores a part that begins at the end of the stored bytes.
  ///
  /// The first part begins the upload, and the part that reaches the size completes it. The server
  /// must refuse a part with another offset, for example with an error of kind `conflict`. If it has
  /// lost the stored bytes, it fails with a `NetworkError` of status 404 or 410, or with a conflict;
  /// the upload then begins again.
  ///
  /// - Returns: The number of bytes that the server has now. It may have stored only the beginning
  ///   of the part.
  func store(_ part: UploadPart, of upload: Upload) async throws -> Int
}
