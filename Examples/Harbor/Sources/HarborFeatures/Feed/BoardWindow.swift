import CausewayData
import Foundation

/// The activities that a page of the board shows.
///
/// The board has the activities that are not over, and the archive the others. Their addresses name
/// pages of a fixed size, so a large board costs a browser no more than a small one, and pages share
/// their boards.
public struct BoardWindow: Sendable, Hashable {
  /// The activities among which a page chooses.
  public enum Part: Sendable, Hashable {
    /// Those that are not over, earliest first.
    case ahead
    /// Those that are over, latest first.
    case over
    /// A single one, by its id.
    case activity(String)
  }

  /// The activities among which the page chooses.
  public let part: Part
  /// The number of the page, from 0 on.
  public let page: Int

  /// The number of activities on a page.
  public static let rows = 25
  /// The window of a page whose address asks for nothing else.
  public static let first = BoardWindow(.ahead)
  private static let largestPage = 400

  /// Makes the window of a page.
  public init(_ part: Part, page: Int = 0) { (self.part, self.page) = (part, page) }

  /// The window of an address; the first one for an address of other parts of the app.
  ///
  /// - Parameter page: The number in the address, from 1 on; another text counts as no number.
  public init(path: String, page: String? = nil) {
    let names = path.split(separator: "/")
    switch names.first {
    case "past": part = .over
    case "activity" where names.count == 2: part = .activity(names[1].removingPercentEncoding ?? "")
    default: part = .ahead
    }
    let number = part == .ahead || part == .over ? page.flatMap { Int($0) } ?? 1 : 1
    self.page = min(max(number, 1), Self.largestPage) - 1
  }

  /// Whether it has a single activity, whose title is the page's.
  var isActivity: Bool { if case .activity = part { true } else { false } }

  /// The window after this one.
  var next: BoardWindow? { page + 1 < Self.largestPage ? BoardWindow(part, page: page + 1) : nil }

  /// The number of activities on this page and before it.
  var end: Int { (page + 1) * Self.rows }

  /// The address of the page.
  public var address: String {
    let query = page == 0 ? "" : "?page=\(page + 1)"
    return switch part {
    case .ahead: "/\(query)"
    case .over: "/past\(query)"
    // An id can be any text.
    case .activity(let id): ("/activity/\(id)" as NetworkPath).encoded
    }
  }
}
