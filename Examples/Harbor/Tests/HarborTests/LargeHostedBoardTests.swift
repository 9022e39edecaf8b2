import CausewayData
import CausewaySyncServer
import CausewayWebTesting
import Foundation
import HarborDomain
import Testing

@testable import HarborApp
@testable import HarborBackend
@testable import HarborFeatures

/// Pages of a board with more activities than its host reads.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `A hosted page of a large board` {
  private nonisolated static let now = Date()
  /// The activities before and after now, one every six hours.
  private nonisolated static let count = 600

  /// Runs a body with a group of a large board.
  private func withBoard(
    _ body: (HostedPages, PageTestClient, Records) async throws -> Void
  ) async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let (page, group) = try await pages.found("Club", as: "Ana")
      let records = Records(place: .group(group), collection: "activities")
      try await pages.store.write { transaction in
        for number in -Self.count..<Self.count {
          let id = "\(number)"
          try records.put(try Self.body(id, hours: 6 * Double(number) + 1), id: id, in: transaction)
        }
      }
      try await body(pages, page, records)
    }
  }

  private nonisolated static func body(_ id: String, hours: Double) throws -> String {
    let ana = PersonName(stored: "Ana")
    let details = ActivityDetails(
      title: "Plan \(id)", place: nil, notes: nil, start: now.addingTimeInterval(3_600 * hours))
    return try Records.encoded(
      ActivityRecord(
        Activity(
          id: id, details: details, host: ana, participants: [ana], created: now, updated: now,
          revision: 1)))
  }

  private struct Day: Decodable {
    struct Card: Decodable { var id: String }
    var cards: [Card]
  }

  /// The activities on a page.
  private func shown(on page: PageTestClient, first: Int) async throws -> [Int] {
    let days = try await page.value("board.days", as: [Day].self) { days in
      days.flatMap(\.cards).compactMap { Int($0.id) }.contains(first)
    }
    return days.flatMap(\.cards).compactMap { Int($0.id) }
  }

  @Test func `shows each part of it, and reads no more than it shows`() async throws {
    try await withBoard { pages, page, _ in
      func open(_ path: String) async throws -> PageTestClient {
        try await PageTestClient(pages.server, path: path, cookies: page.cookies)
      }
      let first = try await open("/")
      #expect(try await shown(on: first, first: 0) == Array(0..<25))
      #expect(try await first.value("board.more") == "Later activities (575)")
      #expect(try await first.value("board.past") == "Past activities (600)")
      let late = try await open("/?page=21")
      #expect(try await shown(on: late, first: 500) == Array(500..<525))
      #expect(try await late.value("board.more") == "Later activities (75)")
      let past = try await open("/past?page=24")
      #expect(try await shown(on: past, first: -600).sorted() == Array(-600 ..< -575))
      let single = try await open("/activity/-599")
      #expect(try await shown(on: single, first: -599) == [-599])
      let day = BoardWording(timeZone: .gmt).dayKey(Self.now.addingTimeInterval(100 * 86_400))
      let from = try await open("/day?date=\(day)")
      let start = try #require(BoardWording().start(of: day))
      let hours = start.timeIntervalSince(Self.now) / 3_600
      let number = try #require(Int(exactly: ((hours - 1) / 6).rounded(.up)))
      #expect(try await shown(on: from, first: number) == Array(number..<number + 25))
    }
  }

  @Test func `follows the changes of what it shows, and the numbers of the others`() async throws {
    try await withBoard { pages, page, records in
      let first = try await PageTestClient(pages.server, path: "/", cookies: page.cookies)
      #expect(try await shown(on: first, first: 0) == Array(0..<25))
      func put(_ body: String?, _ id: String) async throws {
        try await pages.store.write { try records.put(body, id: id, in: $0) }
      }
      // Activities are added, moved and removed, in the part that was read and outside of it.
      try await put(Self.body("9000", hours: 0.5), "9000")
      #expect(try await shown(on: first, first: 9_000) == [9_000] + Array(0..<24))
      try await put(Self.body("9001", hours: 90_000), "9001")
      _ = try await first.value("board.more", as: String.self) { $0 == "Later activities (577)" }
      try await put(nil, "-600")
      _ = try await first.value("board.past", as: String.self) { $0 == "Past activities (599)" }
      try await put(Self.body("599", hours: -1_000), "599")
      _ = try await first.value("board.past", as: String.self) { $0 == "Past activities (600)" }
      try await put(nil, "9000")
      #expect(try await shown(on: first, first: 24) == Array(0..<25))
    }
  }
}
