package import Foundation

/// The activities of pages of the board.
///
/// An activity that begins early can end late, so the first activities need not be over.
extension Activities {
  /// The number of activities of this value that are over.
  ///
  /// Complexity: O(parts), and O(*n*) if parts have activities of both kinds.
  package func countOver(at now: Date) -> Int {
    parts.reduce(0) { $0 + $1.countOver(at: now) }
  }

  /// The activities that are over, or those that are not over, earliest first.
  ///
  /// For a part of a board, it returns activities beyond the edges only if they were read for a run.
  ///
  /// Complexity: O(parts + range), and O(*n*) if a person has activities in all parts, but fewer than
  /// asked for.
  ///
  /// - Parameters:
  ///   - isOver: Whether the activities are over.
  ///   - range: The activities to return, counted from the earliest activity, or from the latest
  ///     one if `isOver` is true.
  ///   - person: Only activities that this person hosts or joins; `nil` for all.
  package func rows(
    areOver isOver: Bool, _ range: Range<Int>, at now: Date, of person: PersonName? = nil
  ) -> [Activity] {
    if range.isEmpty { return [] }
    var (skipped, found) = (0, [Activity]())
    search: for number in parts.indices {
      let part = parts[isOver ? parts.count - 1 - number : number]
      if isOver ? now <= part.ends.lowerBound : now > part.ends.upperBound { continue }
      // The start of the activity that the search reads last in this part.
      let edge = part.rows[isOver ? 0 : part.rows.count - 1].details.start
      let isInside = edges?.counts(edge, areOver: isOver) ?? true
      if let person {
        if part.counts[person] == nil { continue }
      } else if isInside, skipped + part.rows.count <= range.lowerBound,
        isOver ? now > part.ends.upperBound : now <= part.ends.lowerBound
      {
        skipped += part.rows.count
        continue
      }
      for place in part.rows.indices {
        let index = isOver ? part.rows.count - 1 - place : place
        guard part.rows[index].details.isOver(at: now) == isOver,
          isInside
            || edges?.counts(part.rows[index].details.start, areOver: isOver) ?? true,
          person.map({ part.rows[index].belongs(to: $0) }) ?? true
        else { continue }
        if skipped < range.lowerBound {
          skipped += 1
          continue
        }
        found.append(part.rows[index])
        if found.count == range.count { break search }
      }
    }
    if edges?.runs.isEmpty == false, found.count < range.count {
      let end = skipped + found.count
      if let person {
        found += distantRows(areOver: isOver, at: now).filter { $0.belongs(to: person) }
          .dropFirst(range.lowerBound - skipped).prefix(range.count - found.count)
      } else {
        found += distantRows(
          areOver: isOver, Swift.max(end, range.lowerBound)..<range.upperBound, after: end, at: now)
      }
    }
    return isOver ? found.reversed() : found
  }
}

extension Activities.Part {
  /// The starts of the first and the last activity.
  var starts: (first: Date, last: Date)? {
    rows.first.flatMap { first in rows.last.map { (first.details.start, $0.details.start) } }
  }

  /// The number of activities that are over.
  func countOver(at now: Date) -> Int {
    if now > ends.upperBound { return rows.count }
    if now <= ends.lowerBound { return 0 }
    return rows.count { $0.details.isOver(at: now) }
  }
}

extension ActivityDetails {
  /// The assumed duration of an activity without an end, in seconds.
  private static let length: TimeInterval = 3 * 3_600

  /// The end; without one, the assumed one.
  var lastMoment: Date { end ?? start + Self.length }

  /// Whether the activity is over.
  package func isOver(at now: Date) -> Bool { now > lastMoment }
}

extension Activity {
  /// The host and the participants, each once.
  package var people: Set<PersonName> { Set(participants).union([host]) }

  /// Calls a closure with the host and the participants, each once.
  func forEachPerson(_ body: (PersonName) -> Void) {
    if participants.isEmpty || (participants.count == 1 && participants[0].key == host.key) {
      body(host)
    } else {
      people.forEach(body)
    }
  }

  /// Whether a person hosts the activity or takes part.
  ///
  /// Complexity: O(*n*) in the number of participants.
  package func belongs(to person: PersonName) -> Bool {
    host.key == person.key || includes(person)
  }
}
