/// The number of activities that a page of the board shows.
///
/// A page begins with the activities around now. Its address can ask for more. There are few sizes,
/// so that pages share their boards.
public struct BoardWindow: Sendable, Hashable {
  /// The number of activities.
  public let rows: Int

  /// The window of a page whose address asks for no number.
  public static let first = BoardWindow(rows: 100)
  private static let largest = 6_400

  private init(rows: Int) { self.rows = rows }

  /// The smallest window with at least this many activities, or the largest window.
  ///
  /// - Parameter query: The number in the page's address; another text counts as no number.
  public init(query: String?) {
    let wanted = min(query.flatMap { Int($0) } ?? 0, Self.largest)
    var rows = Self.first.rows
    while rows < wanted { rows *= 2 }
    self.rows = rows
  }

  /// The next larger window, or `nil` after the largest one.
  public var next: BoardWindow? { rows < Self.largest ? BoardWindow(rows: rows * 2) : nil }

  /// The address of the board with this window.
  public var address: String { self == .first ? "/" : "/?rows=\(rows)" }
}
