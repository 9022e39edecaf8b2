public import Foundation

/// A browser that is signed in to an account.
public struct SignedInBrowser: Decodable, Equatable, Sendable, Identifiable {
  /// The identity of the browser, as `WebSession.browser`.
  public var browser: String
  /// The kind of browser and its system, such as "Firefox on Linux".
  public var label: String
  private var began: Int64
  private var seen: Int64

  /// The identity of the browser.
  public var id: String { browser }
  /// The time of the sign-in.
  public var start: Date { Date(timeIntervalSince1970: Double(began)) }
  /// The time of the last use, which is recorded once an hour.
  public var lastUse: Date { Date(timeIntervalSince1970: Double(seen)) }
}

/// The words for a browser.
enum BrowserLabel {
  /// The kinds of browsers.
  ///
  /// Some browsers also send the names of kinds that come later in the list.
  private static let kinds = [
    ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"), ("CriOS/", "Chrome"), ("Safari/", "Safari"),
  ]
  private static let systems = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
    ("Mac OS X", "Mac"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
  ]

  /// The words for the description that a browser sends.
  ///
  /// They never contain a text of the client.
  static func text(of userAgent: String?) -> String {
    func first(of words: [(String, String)]) -> String? {
      words.first { userAgent?.contains($0.0) == true }?.1
    }
    let kind = first(of: kinds) ?? "Browser"
    return first(of: systems).map { "\(kind) on \($0)" } ?? kind
  }
}
