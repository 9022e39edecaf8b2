import Foundation

/// The functions of a browser for one of its tabs.
protocol TabDriver: Sendable {
  /// The id of the tab's profile.
  var profile: String { get }
  /// The errors that the page has reported so far, oldest first.
  var problems: [ConsoleProblem] { get async }
  /// The number of frames in the page that could not be loaded.
  var failedFrames: Int { get async throws }

  /// Loads an address and returns when the page has fired `load`.
  func open(_ url: String) async throws
  /// Leaves the page, accepts warnings, and returns when the next page has fired `load`.
  ///
  /// - Returns: Whether the page warned.
  func leave(_ way: Leaving) async throws -> Bool
  /// Returns when the page has shown a dialog.
  func waitForWarning() async throws
  func beforeEachPage(run script: String) async throws
  func evaluate(_ expression: String, limit: Duration) async throws -> JSON
  func close() async throws

  /// Clicks at a place of the visible part, in CSS pixels.
  func click(x: Double, y: Double) async throws
  func press(_ key: Tab.Key, shift: Bool) async throws
  func type(_ text: String) async throws

  func resize(width: Int, height: Int, scale: Double) async throws
  func prefer(_ scheme: Tab.ColorScheme, reducedMotion: Bool) async throws
  func move(toTimeZone name: String) async throws
  /// A PNG file of the whole page, or of the visible part.
  func picture(whole: Bool) async throws -> Data
}

/// A way to leave a page without an address.
enum Leaving {
  case reload, back, forward
}
