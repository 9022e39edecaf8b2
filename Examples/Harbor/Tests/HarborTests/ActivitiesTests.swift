import Foundation
import TestSupport
import Testing

@testable import HarborDomain

/// The activities of a board, compared with plain arrays of them.
@Suite struct `The activities of a board` {
  private static let people = (0..<12).map { PersonName(stored: "Person \($0)") }
  private static let now = Date(timeIntervalSince1970: 1_778_400_000)

  private static func activity(_ number: Int, _ random: inout SeededRandom) -> Activity {
    let start = now.addingTimeInterval(3_600 * Double(Int.random(in: -200..<200, using: &random)))
    let hours = Int.random(in: 0..<6, using: &random)
    return Activity(
      id: "\(number)",
      details: ActivityDetails(
        title: "Title \(Int.random(in: 0..<9, using: &random))", place: nil, notes: nil,
        start: start,
        end: hours == 0 ? nil : start.addingTimeInterval(3_600 * Double(hours * hours))),
      host: people[Int.random(in: 0..<people.count, using: &random)],
      participants: people.filter { _ in Int.random(in: 0..<8, using: &random) == 0 },
      created: now, updated: now, revision: 1)
  }

  /// Checks everything that a board answers.
  private func check(_ board: Activities, _ list: [Activity], _ random: inout SeededRandom) {
    let sorted = list.sorted(by: Activity.precedes)
    #expect(Array(board) == sorted && board.count == sorted.count && board == Activities(list))
    #expect(sorted.indices.allSatisfy { board[$0] == sorted[$0] })
    let id = "\(Int.random(in: 0..<900, using: &random))"
    #expect(board[id: id] == sorted.first { $0.id == id })
    let now = Self.now.addingTimeInterval(3_600 * Double(Int.random(in: -9..<9, using: &random)))
    #expect(board.countOver(at: now) == sorted.count { $0.details.isOver(at: now) })
    let start = Int.random(in: 0..<300, using: &random)
    let range = start..<start + Int.random(in: 0..<200, using: &random)
    for person in [nil, Self.people[0], PersonName(stored: "Nobody")] {
      let own = sorted.filter { activity in person.map { activity.belongs(to: $0) } ?? true }
      let ahead = own.filter { !$0.details.isOver(at: now) }
      #expect(
        board.rows(areOver: false, range, at: now, of: person)
          == Array(ahead.dropFirst(range.lowerBound).prefix(range.count)))
      let over = own.filter { $0.details.isOver(at: now) }
      #expect(
        board.rows(areOver: true, range, at: now, of: person)
          == Array(over.dropLast(range.lowerBound).suffix(range.count)))
    }
  }

  /// The ids of the activities that another list lacks or has with other values.
  private func missing(_ list: [Activity], in other: [Activity]) -> Set<Activity.ID> {
    let known = Dictionary(uniqueKeysWithValues: other.map { ($0.id, $0) })
    return Set(list.filter { known[$0.id] != $0 }.map(\.id))
  }

  @Test(arguments: 0..<UInt64(scaled(10)))
  func `are in order after each change, and know what has changed`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var list = (0..<Int.random(in: 0..<900, using: &random)).map { Self.activity($0, &random) }
    var board = Activities(list.shuffled(using: &random))
    check(board, list, &random)
    for step in 0..<12 {
      let (last, lastList) = (board, list)
      var (old, new, seen): ([Activity], [Activity], Set<Activity.ID>) = ([], [], [])
      // Few changes, and so many that the board is made again.
      let count = step == 9 ? list.count : Int.random(in: 0..<8, using: &random)
      for _ in 0..<count where !list.isEmpty {
        let index = Int.random(in: 0..<list.count, using: &random)
        guard seen.insert(list[index].id).inserted else { continue }
        old.append(list[index])
        if Bool.random(using: &random) {
          list.remove(at: index)
        } else {
          list[index] = Self.activity(Int(list[index].id) ?? 0, &random)
          new.append(list[index])
        }
      }
      if step.isMultiple(of: 2) {
        let added = (0..<Int.random(in: 0..<4, using: &random)).map {
          Self.activity(10_000 + 10 * step + $0, &random)
        }
        list += added
        new += added
        board.replace(old, by: new)
      } else {
        board.become(list.shuffled(using: &random))
      }
      check(board, list, &random)
      let changes = board.changes(since: last)
      #expect(Set(changes.compactMap(\.before?.id)) == missing(lastList, in: list))
      #expect(Set(changes.compactMap(\.after?.id)) == missing(list, in: lastList))
      #expect(board.changes(since: board).isEmpty)
    }
  }

  @Test func `share all parts except one with the previous version`() throws {
    var random = SeededRandom(seed: 1)
    let first = Activities((0..<20_000).map { Self.activity($0, &random) })
    var second = first
    let old = first[12_345]
    var new = old
    new.participants.append(PersonName(stored: "Zoe"))
    second.replace([old], by: [new])
    let known = Set(first.parts.map { ObjectIdentifier($0) })
    #expect(second.parts.count { !known.contains(ObjectIdentifier($0)) } == 1)
    #expect(second.parts.count == first.parts.count)
    let changes = second.changes(since: first)
    #expect(changes.map(\.before) == [old] && changes.map(\.after) == [new])
    // A list of the same activities changes nothing either.
    var third = second
    third.become(Array(second))
    #expect(zip(third.parts, second.parts).allSatisfy { $0 === $1 })
  }

  @Test func `have few parts after most of them are gone`() {
    var random = SeededRandom(seed: 2)
    let list = (0..<4_000).map { Self.activity($0, &random) }
    var board = Activities(list)
    for activity in list.dropLast(100) { board.replace([activity], by: []) }
    check(board, list.suffix(100), &random)
    #expect(board.parts.count <= 16)
  }

  /// Swift treats the encodings of a letter as equal, and a database does not.
  @Test func `do not multiply if their ids are equal for Swift`() {
    var random = SeededRandom(seed: 3)
    let known = Self.activity(1, &random)
    let list = ["\u{e9}", "e\u{301}"].map { id in
      Activity(
        id: id, details: known.details, host: known.host, participants: known.participants,
        created: known.created, updated: known.updated, revision: 1)
    }
    var board = Activities(list)
    for _ in 0..<3 { board.become(list) }
    #expect(board.count == 2)
  }
}
