/// The settings of pages that show their last state without a connection.
///
/// A service worker keeps the page files, style sheets, scripts and pictures of the server, and the
/// last view state of each page, in the browser. <doc:Offline> describes what is kept, and when it
/// is removed.
public struct OfflinePages: Sendable {
  let name: String
  let icons: [String]
  let themeColor: String
  let backgroundColor: String
  let pages: Set<String>?
  let hiddenNames: Set<String>

  /// The days after which a kept state is no longer shown.
  static let days = 30
  /// The milliseconds that the server has to answer a page, before the kept state is shown.
  static let patience = 4_000

  /// Describes the app that a person can put on the home screen.
  ///
  /// - Parameters:
  ///   - name: The name of the app.
  ///   - icons: The paths of its icons, which ``WebServer/asset(_:_:type:)`` serves: an SVG, or PNGs of
  ///     192 and 512 pixels.
  ///   - themeColor: The color of the window's frame, as CSS writes it.
  ///   - backgroundColor: The color of the window before the page is painted, as CSS writes it.
  ///   - pages: The patterns of the pages whose states are kept; nil keeps the states of all pages.
  ///     Leave out a page whose address is a secret.
  ///   - hiddenNames: The names of members of view states whose values are not kept, at any depth,
  ///     such as the code of an invitation.
  public init(
    name: String, icons: [String], themeColor: String, backgroundColor: String,
    pages: Set<String>? = nil, hiding hiddenNames: Set<String> = []
  ) {
    self.name = name
    self.icons = icons
    self.themeColor = themeColor
    self.backgroundColor = backgroundColor
    self.pages = pages
    self.hiddenNames = hiddenNames
  }
}
