import CausewayData
import CausewaySyncServer
import Foundation
import TestSupport
import Testing

@testable import HarborBackend
@testable import HarborDomain

/// The part of a large board that is read, compared with the whole board.
@Suite(TestStore.isAvailable) struct `The part of a board that pages show` {
  private static let day = 86_400.0

  /// A board in a database, and its activities.
  private struct World {
    private let people = (0..<5).map { PersonName(stored: "Person \($0)") }
    private let day = 86_400.0
    let store: any PersistenceService
    let records = Records(place: .group("a"), collection: "activities")
    var random: SeededRandom
    var now = Board.now
    var all: [Activity.ID: Activity] = [:]
    var last = 0
    var reach = Activities.Reach(ahead: 1, over: 1)

    init(_ seed: UInt64) async throws {
      store = try await TestStore.make()
      random = SeededRandom(seed: seed)
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func activity(_ id: String) -> Activity {
      // Some begin at the same time, and some last for weeks.
      let start = now.addingTimeInterval(
        day * Double(number(-40..<40)) + 3_600 * Double(number(0..<3)))
      let days = number(0..<8) == 0 ? Double(number(1..<60)) : 0
      return Activity(
        id: id,
        details: ActivityDetails(
          title: "Title \(number(0..<9))", place: nil, notes: nil, start: start,
          end: days > 0 ? start.addingTimeInterval(day * days) : nil),
        host: people[number(0..<5)], participants: [people[number(0..<5)]], created: now,
        updated: now, revision: 1)
    }

    /// Makes a change; returns the new body of the record.
    mutating func change() throws -> (id: String, body: String?) {
      let known = all.keys.sorted()
      guard let id = known.isEmpty ? nil : known[number(0..<known.count)], number(0..<4) > 0 else {
        last += 1
        let new = activity("new \(last)")
        all[new.id] = new
        return (new.id, try Records.encoded(ActivityRecord(new)))
      }
      switch number(0..<6) {
      case 0:
        all[id] = nil
        return (id, nil)
      case 1:
        // Another program has written it.
        all[id] = nil
        let bodies = [
          "[", "{}", "7", #"{"start":"x"}"#, #"{"start":"NaN"}"#, #"{"start":1e999}"#,
        ]
        return (id, bodies[number(0..<bodies.count)])
      case 2, 3:
        all[id] = activity(id)
      default:
        let joined = people.filter { _ in number(0..<2) == 0 }
        all[id]?.participants = joined
      }
      return (id, try all[id].map { try Records.encoded(ActivityRecord($0)) })
    }

    mutating func changeReach() {
      reach = Activities.Reach(ahead: number(0..<12), over: number(0..<12))
      for _ in 0..<number(0..<3) {
        let moment = now.addingTimeInterval(day * Double(number(-45..<45)))
        reach.days[moment] = number(1..<8)
      }
      let known = all.keys.sorted()
      for _ in 0..<number(0..<3) where !known.isEmpty {
        reach.ids.insert(known[number(0..<known.count)])
      }
      for _ in 0..<number(0..<4) {
        let first = number(0..<60)
        reach.runs.insert(
          Activities.Run(areOver: number(0..<2) == 0, first..<first + number(1..<9)))
      }
    }

    /// The part after the changes, and whether it differs.
    func updated(_ last: BoardPart) async throws -> (part: BoardPart, isDifferent: Bool) {
      try await store.read { [records, reach, now] transaction in
        var part = last
        let isDifferent = try part.update(records, reach: reach, at: now, in: transaction)
        return (part, isDifferent)
      }
    }

    /// Checks that the part answers as the whole board does, as far as pages ask.
    func check(_ part: Activities) {
      let whole = Activities(all.values)
      #expect(part.covers(reach))
      #expect(part.counts(at: now) == whole.counts(at: now))
      for isOver in [false, true] {
        let range = 0..<(isOver ? reach.over : reach.ahead)
        #expect(
          part.rows(areOver: isOver, range, at: now)
            == whole.rows(areOver: isOver, range, at: now))
      }
      for (moment, count) in reach.days {
        #expect(part.rows(from: moment, 0..<count) == whole.rows(from: moment, 0..<count))
      }
      for id in reach.ids { #expect(part[id: id] == whole[id: id]) }
      for run in reach.runs {
        let rows = whole.rows(areOver: run.isOver, run.rows, at: now)
        #expect(part.rows(areOver: run.isOver, run.rows, at: now) == rows)
        // The person's activities on a page of the run are among the first activities of the
        // person.
        let own = part.rows(areOver: run.isOver, 0..<run.rows.upperBound, at: now, of: people[0])
        let ids = Set(own.map(\.id))
        #expect(own.count == ids.count && own.allSatisfy { $0.belongs(to: people[0]) })
        #expect(rows.allSatisfy { !$0.belongs(to: people[0]) || ids.contains($0.id) })
      }
      let next = part.rows(areOver: false, 0..<1, at: now)
      #expect(next == whole.rows(areOver: false, 0..<1, at: now))
    }
  }

  @Test(arguments: 0..<UInt64(scaled(60)))
  func `answers as the whole board does, after each change and at each time`(seed: UInt64)
    async throws
  {
    var world = try await World(seed)
    var part = BoardPart(smallest: 1 + world.number(0..<12))
    for step in 0..<30 {
      var changes: [(id: String, body: String?)] = []
      for _ in 0..<(step == 0 ? world.number(0..<90) : world.number(0..<4)) {
        changes.append(try world.change())
      }
      switch world.number(0..<5) {
      case 0: world.changeReach()
      case 1: world.now += Self.day * Double(world.number(0..<9))
      case 2 where step % 7 == 0: world.now -= Self.day * 3
      default: break
      }
      let records = world.records
      try await world.store.write { [changes] transaction in
        for change in changes { try records.put(change.body, id: change.id, in: transaction) }
        // A change of another group.
        let other = Records(place: .group("b"), collection: "activities")
        try other.put(try Records.encoded(record("Row")), id: "\(step)", in: transaction)
      }
      part = try await world.updated(part).part
      world.check(part.activities)
      #expect(try await !world.updated(part).isDifferent)
    }
  }

  @Test func `is small, and keeps an activity that was moved away`() async throws {
    var world = try await World(1)
    var bodies: [(id: String, body: String)] = []
    for number in 0..<400 {
      var activity = world.activity("\(number)")
      let start = Board.now.addingTimeInterval(Self.day * Double(number - 200))
      activity.details = ActivityDetails(title: "A", place: nil, notes: nil, start: start)
      world.all[activity.id] = activity
      bodies.append((activity.id, try Records.encoded(ActivityRecord(activity))))
    }
    let records = world.records
    try await world.store.write { [bodies] transaction in
      for (id, body) in bodies { try records.put(body, id: id, in: transaction) }
    }
    let first = try await world.updated(BoardPart(smallest: 10)).part
    #expect((20...30).contains(first.activities.count))
    var moved = try #require(first.activities[id: "203"])
    moved.details = ActivityDetails(
      title: "B", place: nil, notes: nil, start: Board.now.addingTimeInterval(Self.day * 900))
    world.all["203"] = moved
    let body = try Records.encoded(ActivityRecord(moved))
    try await world.store.write { try records.put(body, id: "203", in: $0) }
    let second = try await world.updated(first).part
    #expect(second.activities[id: "203"] == moved)
    world.check(second.activities)
    (world.reach.ahead, world.reach.over) = (40, 40)
    let wider = try await world.updated(second).part
    #expect(wider.activities[id: "203"] == moved && wider.activities.count > 80)
    world.check(wider.activities)
    // A page that begins at a day loses more activities than the spare ones that were read for it.
    let day = Board.now.addingTimeInterval(Self.day * 150)
    world.reach.days[day] = 6
    var part = wider
    for id in ["none", "351", "352", "353", "355"] {
      world.all[id] = nil
      if id != "none" { try await world.store.write { try records.put(nil, id: id, in: $0) } }
      part = try await world.updated(part).part
      world.check(part.activities)
    }
    #expect(part.activities.count < 150)
  }
}

/// Pages far from now, of a board with more activities than are read.
@Suite(TestStore.isAvailable) struct `A run of activities far from now` {
  private static let day = 86_400.0
  private let records = Records(place: .group("a"), collection: "activities")

  private func put(
    _ number: Int, days: Double?, title: String = "A", in transaction: any WriteTransaction
  ) throws {
    let id = String(10_000 + number)
    guard let days else { return _ = try records.put(nil, id: id, in: transaction) }
    let host = PersonName(stored: "Ana")
    let activity = Activity(
      id: id,
      details: ActivityDetails(
        title: title, place: nil, notes: nil, start: Board.now.addingTimeInterval(Self.day * days)),
      host: host, participants: [], created: Board.now, updated: Board.now, revision: 1)
    try records.put(
      try Records.encoded(ActivityRecord(activity)), id: id, in: transaction)
  }

  private func update(
    _ part: inout BoardPart, _ reach: Activities.Reach, in store: any PersistenceService
  ) async throws {
    part = try await store.read { [records, part] transaction in
      var part = part
      _ = try part.update(records, reach: reach, at: Board.now, in: transaction)
      return part
    }
  }

  /// The numbers of the activities of a run.
  private func numbers(_ part: BoardPart, _ run: Activities.Run) -> [Int] {
    part.activities.rows(areOver: run.isOver, run.rows, at: Board.now)
      .compactMap { Int($0.id).map { $0 - 10_000 } }
  }

  @Test(arguments: [false, true])
  func `reads few activities for a far run of activities`(isOver: Bool) async throws {
    let store = try await TestStore.make()
    let sign = isOver ? -1.0 : 1.0
    try await store.write { [self] transaction in
      for number in 0..<1_200 {
        try put(number, days: sign * Double(number + 2), in: transaction)
      }
    }
    let run = Activities.Run(areOver: isOver, 800..<826)
    let reach = Activities.Reach(ahead: 1, over: 1, runs: [run])
    func order(_ numbers: Range<Int>) -> [Int] { isOver ? numbers.reversed() : Array(numbers) }
    var part = BoardPart(smallest: 16)
    try await update(&part, reach, in: store)
    #expect(numbers(part, run) == order(800..<826))
    #expect(part.activities.count < 100)
    // Removed, changed, and added between now and the run, and in it.
    try await store.write { [self] in try put(700, days: nil, in: $0) }
    try await update(&part, reach, in: store)
    #expect(numbers(part, run) == order(801..<827))
    try await store.write { [self] in try put(9_000, days: sign * 200.5, in: $0) }
    try await update(&part, reach, in: store)
    #expect(numbers(part, run) == order(800..<826))
    try await store.write { [self] in try put(810, days: nil, in: $0) }
    try await update(&part, reach, in: store)
    #expect(numbers(part, run) == order(800..<827).filter { $0 != 810 })
    // Moved over the edge of the run, and back.
    try await store.write { [self] in try put(800, days: sign * 1_100.5, in: $0) }
    try await update(&part, reach, in: store)
    #expect(numbers(part, run) == order(801..<828).filter { $0 != 810 })
    try await store.write { [self] in try put(800, days: sign * 802, in: $0) }
    try await update(&part, reach, in: store)
    #expect(numbers(part, run) == order(800..<827).filter { $0 != 810 })
    // More changes than were read beside the run.
    try await store.write { [self] transaction in
      for number in 300..<420 { try put(number, days: nil, in: transaction) }
    }
    try await update(&part, reach, in: store)
    #expect(numbers(part, run) == order(921..<947))
    #expect(part.activities.count < 200)
    // A record that has no start is not shown and not counted.
    try await store.write { [self] in try records.put("{}", id: "10900", in: $0) }
    try await update(&part, reach, in: store)
    #expect(numbers(part, run) == order(922..<948))
  }

  @Test(arguments: [false, true])
  func `has the order of the board where starts are equal`(isOver: Bool) async throws {
    let store = try await TestStore.make()
    let sign = isOver ? -1.0 : 1.0
    try await store.write { [self] transaction in
      // Ten a day, whose titles have another order than their ids.
      for number in 0..<1_000 {
        try put(
          number, days: sign * Double(number / 10 + 2), title: "\(9 - number % 10)",
          in: transaction)
      }
    }
    let whole = (0..<1_000).map { number in number / 10 * 10 + 9 - number % 10 }
    for first in [203, 500, 990] {
      let run = Activities.Run(areOver: isOver, first..<first + 27)
      var part = BoardPart(smallest: 16)
      try await update(&part, Activities.Reach(ahead: 1, over: 1, runs: [run]), in: store)
      let rows =
        isOver
        ? (0..<1_000).dropFirst(first).prefix(27).reversed()
        : Array(whole.dropFirst(first).prefix(27))
      #expect(numbers(part, run) == rows)
      #expect(part.activities.count < 130)
    }
    // A run after the last activity of the board is empty.
    let run = Activities.Run(areOver: isOver, 1_000..<1_026)
    var part = BoardPart(smallest: 16)
    let reach = Activities.Reach(ahead: 1, over: 1, runs: [run])
    try await update(&part, reach, in: store)
    #expect(numbers(part, run) == [])
    try await store.write { [self] in try put(1_000, days: sign * 5_000, in: $0) }
    try await update(&part, reach, in: store)
    #expect(numbers(part, run) == [1_000])
  }
}

extension BoardReach {
  /// Holds a part, and releases the hold at once.
  fileprivate func holdBriefly(_ part: Activities.Reach) { _ = hold(part) }
}

/// What the open pages of a board show.
@Suite struct `The reach of a board` {
  @Test func `covers what the open pages show`() async {
    let reach = BoardReach()
    let first = reach.hold(Activities.Reach(ahead: 25, over: 3, ids: ["a"]))
    reach.holdBriefly(Activities.Reach(ahead: 900))
    var extensions = reach.extensions().makeAsyncIterator()
    let second = reach.hold(Activities.Reach(ahead: 50, days: [.distantPast: 3]))
    await extensions.next()
    #expect(reach.all == Activities.Reach(ahead: 50, over: 3, days: [.distantPast: 3], ids: ["a"]))
    withExtendedLifetime((first, second)) {}
  }

  @Test func `has a limit of days`() {
    let reach = BoardReach()
    func day(_ number: Int) -> Activities.Reach {
      Activities.Reach(days: [Date(timeIntervalSince1970: Double(number)): 26])
    }
    var holds = (0..<BoardReach.mostDays).map { reach.hold(day($0)) }
    #expect(!holds.contains { $0 == nil } && reach.hold(day(-1)) == nil)
    #expect(reach.hold(day(3)) != nil && reach.hold(Activities.Reach(ahead: 9)) != nil)
    holds.removeLast()
    #expect(reach.hold(day(-1)) != nil)
  }

  @Test func `covers another one if it shows at least as much`() {
    let wide = Activities.Reach(ahead: 5, over: 4, days: [.distantPast: 3], ids: ["a", "b"])
    #expect(wide.covers(wide) && wide.covers(.init(ahead: 5)) && wide.covers(.init()))
    #expect(!wide.covers(.init(ahead: 6)) && !wide.covers(.init(over: 5)))
    #expect(!wide.covers(.init(ids: ["c"])))
    #expect(!wide.covers(.init(days: [.distantPast: 4])))
    #expect(!wide.covers(.init(days: [.distantFuture: 1])))
    let run = Activities.Run(areOver: true, 250..<501)
    #expect(!wide.covers(.init(runs: [run])))
    #expect(Activities.Reach(runs: [run]).covers(.init(runs: [run])))
  }
}
