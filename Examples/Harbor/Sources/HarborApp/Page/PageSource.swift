import CausewayWeb
import HarborDomain
import HarborFeatures

/// What the pages show: a device, or the backend of the same process.
@MainActor protocol PageSource: AnyObject, Sendable {
  /// Uses the server on which the pages are.
  func serve(on server: WebServer)

  /// Finds what the page of a new session shows.
  ///
  /// - Throws: A `Problem` if it cannot be read.
  func open(_ session: WebSession) async throws -> OpenPage

  /// The shared boards of a group that an open page shows.
  func boards(of group: String) -> SharedBoards?

  /// An activity that the account of a request may see; `nil` if there is none.
  func activity(_ id: String, for request: Request) async throws -> Activity?

  /// Reads a picture.
  ///
  /// - Throws: A `Problem` if the account may not see such a picture, or the error of the source.
  func picture(_ key: PictureKey, for request: Request) async throws -> [UInt8]

  /// Stores a picture for a person of a group, and returns its id.
  ///
  /// - Throws: A `Problem` if it was refused.
  func add(picture: [UInt8], to group: String, for request: Request) async throws -> String
}

/// What a page shows.
struct OpenPage {
  /// The id of the account; `nil` without a session.
  var account: String?
  /// The id of the group whose board the page shows.
  var group: String?
  /// The address of the part that the page shows; `nil` for the address of the session.
  var address: String?
  /// Makes the services of the page, from the texts in its time zone.
  var environment: @MainActor (BoardWording) -> HarborEnvironment
}

/// The identity of a profile picture.
struct PictureKey: Hashable, Sendable {
  var group, id: String
}
