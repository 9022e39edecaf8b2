import CausewayStreams
import Foundation
import HarborDomain
import HarborFeatures

/// What the pages show: a device, or the backend of the same process.
@MainActor protocol PageSource: AnyObject, Sendable {
  /// The id of the account; `nil` without a session.
  var accountID: String? { get }
  /// The group whose board the pages show.
  var group: GroupRecord? { get }
  /// The shared boards of that group.
  var boards: SharedBoards? { get }
  /// Ends the sessions of all pages, which then begin again with the current account and group.
  var restartPages: @MainActor () -> Void { get set }

  /// The services of a page.
  ///
  /// - Parameters:
  ///   - browser: The identity of the browser. Each browser has its own name on the board.
  ///   - network: The network of the browser, for the limits of attempts.
  ///   - wording: The texts in the time zone of the page.
  func environment(
    for browser: String, at network: String, _ wording: BoardWording
  ) -> HarborEnvironment

  /// Reads a picture.
  ///
  /// - Throws: A `Problem` if the account may not see such a picture, or the error of the source.
  func picture(_ key: PictureKey) async throws -> [UInt8]

  /// Stores a picture for a person of a group, and returns its id.
  ///
  /// - Throws: A `Problem` if it was refused.
  func add(picture: [UInt8], to group: String) async throws -> String
}

/// The identity of a profile picture.
struct PictureKey: Hashable, Sendable {
  var group: String
  var id: String
}
