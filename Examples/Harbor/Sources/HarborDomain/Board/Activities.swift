import Foundation

/// The activities of a board, earliest first.
///
/// If the board is very large, this value can have only the part around now; see ``edges``.
///
/// Versions share the parts that have not changed. So a change of a large board costs little, and a
/// comparison of two versions skips the shared parts. Each part has a list of its people and the
/// times when its activities end, so a page skips the parts that it does not show.
public struct Activities: Sendable {
  /// Consecutive activities, and facts about them that are often needed.
  final class Part: Sendable {
    /// The number of activities of a new part.
    static let size = 128

    let rows: [Activity]
    let places: [Activity.ID: Int]
    /// The number of activities of each person, as their host or participant.
    let counts: [PersonName: Int]
    /// When the first and the last of them are over.
    let ends: ClosedRange<Date>

    /// - Parameter rows: At least one activity.
    init(_ rows: [Activity]) {
      self.rows = rows
      var (first, last) = (Date.distantFuture, Date.distantPast)
      var (places, counts) = ([Activity.ID: Int](), [PersonName: Int]())
      for index in rows.indices {
        places[rows[index].id] = index
        rows[index].forEachPerson { counts[$0, default: 0] += 1 }
        let end = rows[index].details.lastMoment
        (first, last) = (Swift.min(first, end), Swift.max(last, end))
      }
      (self.places, self.counts, ends) = (places, counts, Swift.min(first, last)...last)
    }
  }

  private(set) var parts: [Part] = []
  /// The position of the first activity of each part.
  private var starts: [Int] = []
  /// The number of activities that this value has.
  public private(set) var count = 0
  /// Where the part of the board ends that this value has; `nil` if it has the whole board.
  package var edges: Edges?

  private init(parts: [Part], edges: Edges? = nil) {
    (self.parts, self.edges) = (parts, edges)
    starts.reserveCapacity(parts.count)
    for part in parts {
      starts.append(count)
      count += part.rows.count
    }
  }

  /// Makes a board of activities in any order.
  ///
  /// Complexity: O(*n*) if they are in the order of the board, otherwise O(*n* log *n*).
  public init(_ activities: some Sequence<Activity>) {
    var rows = Array(activities)
    let isSorted = rows.indices.dropFirst().allSatisfy {
      !Activity.precedes(rows[$0], rows[$0 - 1])
    }
    if !isSorted { rows.sort(by: Activity.precedes) }
    self.init(parts: Self.split(rows))
  }

  /// The activity with this id, or `nil`.
  ///
  /// Complexity: O(parts).
  public subscript(id id: Activity.ID) -> Activity? {
    for part in parts { if let place = part.places[id] { return part.rows[place] } }
    return nil
  }

  /// Replaces activities by their next versions, removes activities, and adds new ones.
  ///
  /// Complexity: O(parts + changes × 128), and O(*n* log *n*) for very many changes.
  ///
  /// - Parameters:
  ///   - old: Activities of this board.
  ///   - new: Activities that are not on this board, except as those of `old`.
  package mutating func replace(_ old: [Activity], by new: [Activity]) {
    if old.isEmpty, new.isEmpty { return }
    guard !parts.isEmpty, old.count + new.count <= Swift.max(64, count / 64) else {
      let gone = Set(old.map(\.id))
      let edges = edges
      self = Activities(filter { !gone.contains($0.id) } + new)
      self.edges = edges
      return
    }
    var removals: [Int: Set<Activity.ID>] = [:]
    for activity in old {
      let expected = part(around: activity)
      let place =
        parts[expected].places[activity.id] != nil
        ? expected : parts.firstIndex { $0.places[activity.id] != nil }
      if let place { removals[place, default: []].insert(activity.id) }
    }
    let insertions = Dictionary(grouping: new) { part(around: $0) }
    var built: [Part] = []
    built.reserveCapacity(parts.count + 1)
    for (number, part) in parts.enumerated() {
      let (gone, added) = (removals[number], insertions[number])
      if gone == nil, added == nil {
        built.append(part)
        continue
      }
      var rows = part.rows
      if let gone { rows.removeAll { gone.contains($0.id) } }
      if let added {
        rows += added
        rows.sort(by: Activity.precedes)
      }
      built += rows.count > 2 * Part.size ? Self.split(rows) : rows.isEmpty ? [] : [Part(rows)]
    }
    // Deletions leave small parts behind.
    let rest = built.reduce(0) { $0 + $1.rows.count }
    let isScattered = built.count > 16 && built.count > 8 * (rest / Part.size + 1)
    self = Activities(
      parts: isScattered ? Self.split(built.flatMap(\.rows)) : built, edges: edges)
  }

  /// Takes over a list, and keeps the parts that have not changed.
  ///
  /// Complexity: O(*n*).
  package mutating func become(_ list: [Activity]) {
    var gone = Dictionary(map { ($0.id, $0) }) { first, _ in first }
    guard gone.count == count else {
      // A server can have two ids that differ only in the encoding of a letter. For Swift, they are
      // equal.
      self = Activities(list)
      return
    }
    var new: [Activity] = []
    for activity in list {
      if gone[activity.id]?.isIdentical(to: activity) == true {
        gone[activity.id] = nil
      } else {
        new.append(activity)
      }
    }
    replace(Array(gone.values), by: new)
  }

  /// The last part that begins at or before an activity; the first part if all parts begin after
  /// it.
  private func part(around activity: Activity) -> Int {
    lastPart { !Activity.precedes(activity, parts[$0].rows[0]) }
  }

  /// The last part that meets a condition; the first part if no part meets it.
  ///
  /// A binary search: if a part does not meet the condition, no later part may meet it.
  private func lastPart(where begins: (Int) -> Bool) -> Int {
    var (low, high) = (0, parts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if begins(middle) { low = middle } else { high = middle }
    }
    return low
  }

  private static func split(_ rows: [Activity]) -> [Part] {
    stride(from: 0, to: rows.count, by: Part.size).map {
      Part(Array(rows[$0..<Swift.min($0 + Part.size, rows.count)]))
    }
  }
}

extension Activities: RandomAccessCollection, ExpressibleByArrayLiteral {
  /// Makes a board of the activities of a literal.
  public init(arrayLiteral elements: Activity...) { self.init(elements) }

  /// The position of the earliest activity.
  public var startIndex: Int { 0 }
  /// The position after the last activity.
  public var endIndex: Int { count }

  /// The activity at a position.
  ///
  /// Complexity: O(log *n*).
  public subscript(position: Int) -> Activity {
    precondition(indices.contains(position), "There is no activity at this position.")
    let part = lastPart { starts[$0] <= position }
    return parts[part].rows[position - starts[part]]
  }
}

extension Activities: CustomReflectable {
  /// The activities in order, as in the mirror of an array.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}
