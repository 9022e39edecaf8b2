import CausewayData
import Foundation

/// The board of a group in the database of a device.
///
/// The board is read once. After that, the live queries below tell which records have changed, and
/// only these records are read again.
struct DeviceBoard: Sendable {
  /// The number of changed records beyond which the board is read again.
  private static let largestChange = 1_000

  private let store: any PersistenceService
  private let place: SQL
  private let marks: [LiveQueryVersions<RecordMark>]

  /// - Parameter account: The account whose board it is; `nil` for an empty board.
  init(_ store: any PersistenceService, of account: AccountID?, in scope: SyncScope) {
    self.store = store
    place = "syncAccount = \(account?.rawValue) AND syncScope = \(scope.rawValue)"
    // A live query of the view, which joins both tables, would read everything after each change.
    // In the first table, each response of the server gives its rows new numbers. In the second
    // table, a pending change can be refused, so the members of the rows are compared.
    let queries: [SQL] = [
      "SELECT rowid AS mark, id, syncRead FROM activity_base WHERE \(place)",
      """
      SELECT rowid AS mark, id, syncRead, syncDeleted, title, place, notes, start, finish, host,
      participants, created, updated, revision FROM activity_overlay WHERE \(place)
      """,
    ]
    marks = queries.map { store.observe($0, as: RecordMark.self).versions }
  }

  /// Yields the board, now and after each change.
  ///
  /// A slow consumer gets only the newest board.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  func activities() -> AsyncThrowingStream<Activities, any Error> {
    .newest { [self] listener in
      let reading = Reading(self) { listener.yield($0) }
      do {
        try await withThrowingTaskGroup(of: Void.self) { group in
          defer { group.cancelAll() }
          for versions in marks {
            group.addTask {
              let known = ConvertedRows<RecordMark, String> { $0.record }
              var isFirst = true
              for try await rows in versions {
                let (gone, new) = known.changes(to: rows)
                if isFirst { try await reading.begin() } else { try await reading.read(gone + new) }
                isFirst = false
              }
            }
          }
          try await group.next()
        }
      } catch {
        throw ActivityError.notRead(reason: "\(error)")
      }
    }
  }

  /// The state of one reading, which both live queries share.
  private actor Reading {
    private let source: DeviceBoard
    private let receive: @Sendable (Activities) -> Void
    private var board: Activities?
    /// The records to read; `nil` for all.
    private var changed: Set<[UInt8]>? = []
    /// The live queries whose first version has arrived.
    private var begun = 0
    private var isReading = false
    /// Whether two ids are equal for Swift, but not for the database.
    private var hasTwins = false

    init(_ source: DeviceBoard, _ receive: @escaping @Sendable (Activities) -> Void) {
      (self.source, self.receive) = (source, receive)
    }

    /// Reads the board when all live queries have begun, because they then report all later
    /// changes.
    func begin() async throws {
      begun += 1
      if begun < source.marks.count { return }
      changed = nil
      try await read()
    }

    func read(_ ids: [String]) async throws {
      if begun < source.marks.count { return }
      changed?.formUnion(ids.lazy.map { Array($0.utf8) })
      try await read()
    }

    private func read() async throws {
      // The reading in progress reads once more.
      if isReading { return }
      isReading = true
      defer { isReading = false }
      while changed?.isEmpty != true {
        let isLarge = changed.map { $0.count > DeviceBoard.largestChange } ?? true
        let ids = isLarge || hasTwins ? nil : changed
        changed = []
        let rows = try await source.rows(ids.map { $0.map { String(decoding: $0, as: UTF8.self) } })
        let new = rows.map { $0.record.activity(isPending: $0.isPending) }
        if let ids {
          if var next = board, next.replace(ids, by: new) { show(next) } else { changed = nil }
        } else {
          hasTwins = Set(new.map(\.id)).count < new.count
          var next = board ?? []
          next.become(new)
          show(next)
        }
      }
    }

    private func show(_ next: Activities) {
      // A changed record can give an equal activity.
      if let board, board.count == next.count, next.changes(since: board).isEmpty { return }
      board = next
      receive(next)
    }
  }

  private func rows(_ ids: [String]?) async throws -> [Synced<ActivityRecord>] {
    let condition: SQL = ids.map { "AND id IN \(list: $0)" } ?? ""
    let query: SQL = """
      SELECT * FROM activity WHERE \(place) \(condition) ORDER BY start, title, id
      """
    return try await store.read { try $0.rows(query, as: Synced<ActivityRecord>.self) }
  }
}

/// What differs between two versions of a stored record.
private struct RecordMark: Decodable, Equatable, Sendable, Identifiable {
  /// The number of the row, because two ids of records can be equal for Swift.
  var id: Int64
  var record: String
  var read: Int
  var isDeleted: Int?
  var title, place, notes, host, participants: String?
  var start, finish, created, updated: Double?
  var revision: Int?

  private enum CodingKeys: String, CodingKey {
    case id = "mark"
    case record = "id"
    case read = "syncRead"
    case isDeleted = "syncDeleted"
    case title, place, notes, host, participants, start, finish, created, updated, revision
  }
}

extension Activities {
  /// Replaces activities by their next versions.
  ///
  /// - Parameters:
  ///   - ids: The ids of the activities that may be on this board.
  ///   - new: The next versions of those that still exist.
  /// - Returns: False if two ids are equal for Swift but have different bytes. Then nothing is
  ///   replaced.
  fileprivate mutating func replace(_ ids: Set<[UInt8]>, by new: [Activity]) -> Bool {
    var old: [Activity] = []
    for id in ids {
      guard let activity = self[id: String(decoding: id, as: UTF8.self)] else { continue }
      if !activity.id.utf8.elementsEqual(id) { return false }
      old.append(activity)
    }
    if Set(new.map(\.id)).count < new.count { return false }
    replace(old, by: new)
    return true
  }
}
