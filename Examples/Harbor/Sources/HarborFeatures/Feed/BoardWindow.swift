import CausewayData
public import Foundation
package import HarborDomain

/// The activities that a page of the board shows.
///
/// The board has the activities that are not over, and the archive has the others. A third kind of
/// page begins at a day. The addresses name pages of a fixed size. So a large board costs a browser
/// no more than a small one, and all people who look at the same page share its content.
public struct BoardWindow: Sendable, Hashable {
  /// The activities among which a page chooses.
  public enum Part: Sendable, Hashable {
    /// Those that are not over, earliest first.
    case ahead
    /// Those that are over, latest first.
    case over
    /// Those that start on a day or later, earliest first.
    ///
    /// The day is a text such as `2027-03-05`, and begins at a moment that depends on the time zone.
    case day(String, from: Date)
    /// A single one, by its id.
    case activity(String)
  }

  /// The activities among which the page chooses.
  public let part: Part
  /// The number of the page, from 0 on.
  public private(set) var page: Int

  /// The number of activities on a page.
  public static let rows = 25
  /// The window of a page whose address asks for nothing else.
  public static let first = BoardWindow(.ahead)
  private static let largestPage = 400
  /// The number of pages that a host reads together.
  private static let pagesOfRun = 10
  /// A page of a day has this limit, because the address of a later day leads to later activities.
  private static let largestPageOfDay = 20

  /// Makes the window of a page.
  public init(_ part: Part, page: Int = 0) { (self.part, self.page) = (part, page) }

  /// The window of an address; the first one for an address of other parts of the app.
  ///
  /// - Parameters:
  ///   - page: The number in the address, from 1 on; another text counts as no number.
  ///   - date: The day in the address; another text counts as no day.
  ///   - wording: The wording, whose time zone decides when the day begins.
  public init(
    path: String, page: String? = nil, date: String? = nil,
    in wording: BoardWording = BoardWording()
  ) {
    let names = path.split(separator: "/")
    switch names.first {
    case "past": part = .over
    case "day":
      let start = date.flatMap { wording.start(of: $0) }
      if let date, let start { part = .day(date, from: start) } else { part = .ahead }
    case "activity" where names.count == 2: part = .activity(names[1].removingPercentEncoding ?? "")
    default: part = .ahead
    }
    self.page = 0
    if !isActivity, let number = page.flatMap({ Int($0) }) {
      self.page = min(max(number, 1), largestPage) - 1
    }
  }

  private var largestPage: Int {
    if case .day = part { Self.largestPageOfDay } else { Self.largestPage }
  }

  /// Whether it has a single activity, whose title is the page's.
  var isActivity: Bool { if case .activity = part { true } else { false } }

  /// The window after this one.
  var next: BoardWindow? { page + 1 < largestPage ? BoardWindow(part, page: page + 1) : nil }

  /// The number of activities on this page and before it.
  var end: Int { (page + 1) * Self.rows }

  /// The address of the page.
  public var address: String {
    let number = page == 0 ? "" : "page=\(page + 1)"
    let query = number.isEmpty ? "" : "?\(number)"
    return switch part {
    case .ahead: "/\(query)"
    case .over: "/past\(query)"
    case .day(let day, _): "/day?date=\(day)\(number.isEmpty ? "" : "&\(number)")"
    // An id can be any text.
    case .activity(let id): ("/activity/\(id)" as NetworkPath).encoded
    }
  }

  /// What a host must have read of a board to show the window.
  ///
  /// This is one activity more than the window shows, because the page has a link to the next page
  /// if there is one.
  package var reach: Activities.Reach {
    switch part {
    case .ahead: page < Self.pagesOfRun ? Activities.Reach(ahead: end + 1) : run(areOver: false)
    case .over: page < Self.pagesOfRun ? Activities.Reach(over: end + 1) : run(areOver: true)
    case .day(_, let start): Activities.Reach(days: [start: end + 1])
    case .activity(let id): Activities.Reach(ids: [id])
    }
  }
  /// The run with the activities of several pages far from now; larger runs mean fewer runs for a
  /// board.
  private func run(areOver isOver: Bool) -> Activities.Reach {
    let size = Self.pagesOfRun * Self.rows
    let start = page / Self.pagesOfRun * size
    return Activities.Reach(runs: [Activities.Run(areOver: isOver, start..<start + size + 1)])
  }
}
