import Foundation
import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct LongPlanTests {
  private static let parts = [
    LongPart("small", minutes: 2, paths: "Tests/Small") { _ in true },
    LongPart("large", minutes: 20, paths: "Sources") { _ in true },
    LongPart("deep", minutes: 3, paths: "Sources/Data/CausewayStores/Files") { _ in true },
    LongPart("nightly", minutes: 150, paths: "Sources") { _ in true },
  ]

  /// The plan for commits with the newest first, each with its minute and its files.
  private func plan(
    _ commits: (minute: Int, files: [String])..., base: String? = nil, minutes: Int = 40
  ) -> [String] {
    LongPlan.choices(
      parts: Self.parts,
      commits: commits.enumerated().map {
        LongPlan.Commit(
          second: $0.element.minute * 60, hash: "\($0.offset)", files: $0.element.files)
      },
      base: base, minutes: minutes
    ).map { $0.name + ($0.isDue ? "!" : "") }
  }

  @Test
  func `the part with the deepest changed path is first, then the one that is due`() {
    #expect(plan((1000, ["Tests/Small/A.swift"])) == ["small", "deep!"])
    #expect(plan((1000, ["Sources/Data/CausewayStores/Files/A.swift"])) == ["deep!"])
  }

  @Test
  func `a part that has run is no longer due`() {
    let first = (minute: 100, files: ["README.md"])
    #expect(plan((1000, ["README.md"]), first) == ["large!"])
    #expect(plan((1000, ["README.md"]), (200, ["README.md"]), first) == ["small!"])
  }

  @Test
  func `a changed part that does not fit beside the due part waits`() {
    #expect(plan((1000, ["Sources/A.swift"])) == ["deep!"])
    #expect(plan((1000, ["Sources/A.swift"]), minutes: 41) == ["large", "deep!"])
  }

  @Test
  func `commits with at most 90 minutes between them are one push`() {
    let earlier = (minute: 920, files: ["Tests/Small/A.swift"])
    #expect(plan((1000, []), earlier) == ["small", "deep!"])
    #expect(plan((1100, []), earlier) == ["large!"])
  }

  @Test
  func `the base of a push replaces the time`() {
    #expect(plan((1000, []), (500, ["Tests/Small/A.swift"]), (400, []), base: "2").first == "small")
    #expect(plan((1000, []), (999, ["Tests/Small/A.swift"]), base: "1") == ["large!"])
  }

  @Test
  func `paths without the folder of a layer and names of earlier modules count`() {
    #expect(plan((1000, ["Sources/CausewayCache/Files/A.swift"])) == ["deep!"])
    #expect(plan((1000, ["Sources/CausewayStores/Files/A.swift"]), minutes: 30) == ["deep!"])
    #expect(plan((1000, ["Tests/Smaller/A.swift"])) == ["deep!"])
  }

  @Test
  func `without time for any part there is no plan`() {
    #expect(plan((1000, ["Sources/A.swift"]), minutes: 18) == [])
  }

  @Test
  func `continuous integration runs each part at night`() throws {
    let workflow = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../.github/workflows/ci.yml").standardized
    let text = try String(contentsOf: workflow, encoding: .utf8)
    let list = try #require(text.firstMatch(of: /part: \[(.*)\]/)?.1)
    let names = Set(list.split(separator: ",").map { $0.drop { $0 == " " } }.map(String.init))
    #expect(names == Set(LongPart.all.map(\.name)))
  }

  @Test
  func `each part has a name of its own`() {
    #expect(Set(LongPart.all.map(\.name)).count == LongPart.all.count)
  }
}
