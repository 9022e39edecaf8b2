import Foundation
import HarborDomain
import Testing

@Suite struct `Activity draft` {
  static let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
  static let soon = now.addingTimeInterval(3_600)

  @Test func `is trimmed`() throws {
    let details = try ActivityDraft(
      title: "  Row \t to\nthe   island ", place: "  ", notes: "\r\n One\r\n\r\nTwo \n",
      start: Self.soon
    ).validated(at: Self.now)
    #expect(details.title == "Row to the island")
    #expect(details.place == nil)
    #expect(details.notes == "One\n\nTwo")
  }

  @Test(arguments: [
    ("", ActivityProblem.titleMissing),
    (" \n\u{a0}\t", .titleMissing),
    (String(repeating: "é", count: 121), .tooLong(.title, count: 121, limit: 120)),
    (String(repeating: "x", count: 100_000), .tooLong(.title, count: 100_000, limit: 120)),
    ("Row\u{0}ing", .unreadable(.title)),
    ("Row\u{7}ing", .unreadable(.title)),
  ])
  func `needs a title that is visible and short enough`(title: String, problem: ActivityProblem) {
    #expect(throws: ActivityProblems.self) { try draft(title: title).validated(at: Self.now) }
    #expect(problems(draft(title: title)) == [problem])
  }

  @Test(arguments: ["x", String(repeating: "👩‍👩‍👧‍👦", count: 30), String(repeating: "é", count: 120)])
  func `accepts a title of 1 to 120 characters in every Unicode spelling`(title: String) throws {
    #expect(try draft(title: title).validated(at: Self.now).title == title)
  }

  @Test func `rejects a character with a thousand combining marks`() {
    let heap = "a" + String(repeating: "\u{301}", count: 1_000)
    #expect(problems(draft(title: heap)) == [.tooLong(.title, count: 1, limit: 120)])
    #expect(problems(draft(title: heap))[0].description.contains("combined characters"))
  }

  @Test(arguments: [
    (-3_600.0, ActivityProblem?.some(.startInPast)),
    (-60, .startInPast), (-59, nil), (0, nil), (86_400 * 3_650, nil),
    (86_400 * 366 * 11, .startTooFar),
  ])
  func `starts between the current minute and ten years from now`(
    offset: TimeInterval, problem: ActivityProblem?
  ) {
    let draft = ActivityDraft(title: "Row", start: Self.now.addingTimeInterval(offset))
    #expect(problems(draft) == (problem.map { [$0] } ?? []))
  }

  @Test func `may keep its own date after it has passed, but no other past date`() {
    let past = Self.now.addingTimeInterval(-86_400)
    let draft = ActivityDraft(title: "Row", start: past)
    #expect(problems(draft, keeping: past).isEmpty)
    #expect(problems(draft, keeping: past.addingTimeInterval(60)) == [.startInPast])
  }

  @Test func `names every field that has a problem, each with its own message`() {
    let draft = ActivityDraft(
      title: "", place: String(repeating: "p", count: 121),
      notes: String(repeating: "n", count: 2_001), start: nil)
    let found = problems(draft)
    #expect(found.map(\.field) == [.title, .place, .notes, .start])
    #expect(Set(found.map(\.description)).count == 4)
    #expect(found[2].description.contains("2,001 characters; at most 2,000 fit"))
  }

  private func draft(title: String) -> ActivityDraft {
    ActivityDraft(title: title, start: Self.soon)
  }

  private func problems(_ draft: ActivityDraft, keeping kept: Date? = nil) -> [ActivityProblem] {
    do {
      _ = try draft.validated(at: Self.now, keeping: kept)
      return []
    } catch {
      return error.all
    }
  }
}

@Suite struct `Person name` {
  @Test(arguments: [("Ana", "ana"), (" José ", "Jose\u{301}"), ("ＡＮＡ", "Ana")])
  func `means the same person in every spelling`(one: String, other: String) throws {
    #expect(try PersonName(one) == PersonName(other))
  }

  @Test(arguments: [
    ("  ", PersonNameProblem.missing),
    (String(repeating: "n", count: 41), .tooLong(count: 41, limit: 40)),
    ("A\u{1b}", .unreadable),
  ])
  func `is rejected with a reason`(typed: String, problem: PersonNameProblem) {
    #expect(throws: problem) { try PersonName(typed) }
  }
}
