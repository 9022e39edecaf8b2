import Foundation
import Testing

@testable import causeway

struct ReportCacheTests {
  private static let redundant = "@MainActor final class A {\n  @MainActor func f() {}\n}\n"

  /// Returns whether a second run of `causeway check` prints the output in the cache.
  ///
  /// The outputs in the cache are replaced by another text between the runs.
  private func isCached(_ arguments: [String], in folder: TemporaryFolder) throws -> Bool {
    _ = try run(Products.causeway, ["check"] + arguments, in: folder.path)
    let cache = URL(fileURLWithPath: folder.path(".build/causeway"))
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: cache.path)) ?? [] where name.first != "." {
      let kept = ReportCache.text(of: .init(status: 0, output: "kept\n"))
      try Data(kept.utf8).write(to: cache.appendingPathComponent(name))
    }
    let second = try run(Products.causeway, ["check"] + arguments, in: folder.path)
    try? files.removeItem(at: cache)
    return second == (0, "kept\n")
  }

  @Test func `An output is printed again while nothing has changed`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("A.swift", ReportCacheTests.redundant)
      let first = try causeway("check", ".", in: folder.path)
      let again = try causeway("check", ".", in: folder.path)
      #expect(first == again)
      #expect(first.status == 1)
      #expect(try folder.read(".build/causeway/.gitignore") == "*\n")
      #expect(try isCached(["."], in: folder))
      #expect(try !isCached(["--no-cache", "."], in: folder))
      #expect(try !isCached(["--fix", "."], in: folder))
    }
  }

  @Test(arguments: [
    "A.swift", "Package.swift", ".causeway.yml", "baseline.json", "B.swift", "--swift-version",
  ])
  func `A change of an input is checked`(_ changed: String) throws {
    try TemporaryFolder.with { folder in
      let manifest = """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(name: "A", targets: [.target(name: "A", path: "Sources")])
        """
      try folder.write("Package.swift", manifest)
      try folder.write("Sources/A.swift", ReportCacheTests.redundant)
      try folder.write(".causeway.yml", "baseline: baseline.json\n")
      _ = try causeway(
        "check", "--baseline", "baseline.json", "--update-baseline", "Sources", in: folder.path)
      #expect(try causeway("check", "Sources", in: folder.path).status == 0)
      switch changed {
      case "A.swift":
        try folder.write(
          "Sources/A.swift",
          ReportCacheTests.redundant + "@MainActor func g() {}\n"
            + ReportCacheTests.redundant.replacingOccurrences(of: "A", with: "C"))
      case "B.swift":
        try folder.write(
          "Sources/B.swift", ReportCacheTests.redundant.replacingOccurrences(of: "A", with: "B"))
      case "Package.swift":
        try folder.write(
          changed,
          manifest.replacingOccurrences(of: "6.0", with: "5.9")
            .replacingOccurrences(of: "path:", with: "dependencies: [], path:"))
      case ".causeway.yml": try folder.write(changed, "disabled: [redundant-main-actor]\n")
      case "--swift-version": break
      default: try FileManager.default.removeItem(atPath: folder.path(changed))
      }
      let option = changed.hasPrefix("--") ? [changed, "5"] : []
      let cached = try run(Products.causeway, ["check"] + option + ["Sources"], in: folder.path)
      let fresh = try run(
        Products.causeway, ["check", "--no-cache"] + option + ["Sources"], in: folder.path)
      #expect(cached == fresh)
    }
  }

  @Test func `A change is checked only in its module`() throws {
    try TemporaryFolder.with { folder in
      try folder.write(
        "Package.swift",
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(name: "p", targets: [.target(name: "A"), .target(name: "B")])
        """)
      try folder.write("Sources/A/A.swift", ReportCacheTests.redundant)
      try folder.write("Sources/B/B.swift", ReportCacheTests.redundant)
      let first = try causeway("check", "Sources", in: folder.path)
      #expect(first.output.contains("2 findings in 2 files."))
      try folder.write("Sources/B/B.swift", "struct B {}\n")
      let second = try causeway("check", "Sources", in: folder.path)
      #expect(try second == causeway("check", "--no-cache", "Sources", in: folder.path))

      // The findings in A come from the cache.
      let cache = folder.path(".build/causeway/.modules")
      for name in try FileManager.default.contentsOfDirectory(atPath: cache)
      where name.first != "." {
        // The record of a module is not a text.
        guard let text = try? folder.read(".build/causeway/.modules/" + name) else { continue }
        let output = text.split(separator: "\n", maxSplits: 1).last.map(String.init) ?? ""
        let kept = output.replacingOccurrences(of: "is redundant", with: "is kept")
        try folder.write(
          ".build/causeway/.modules/" + name,
          ReportCache.text(of: .init(status: 0, output: kept)))
      }
      try folder.write("Sources/B/B.swift", "struct C {}\n")
      let third = try causeway("check", "Sources", in: folder.path)
      #expect(third.status == 1 && third.output.contains("is kept"))
      // Another file of the module, or another set of rules, needs a new check.
      try folder.write("Sources/A/C.swift", "struct C {}\n")
      #expect(try !causeway("check", "Sources", in: folder.path).output.contains("is kept"))
      let other = try causeway("check", "--skip", "main-actor-run", "Sources", in: folder.path)
      #expect(!other.output.contains("is kept"))
    }
  }

  @Test func `A damaged output is not printed`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("A.swift", ReportCacheTests.redundant)
      let first = try causeway("check", ".", in: folder.path)
      let cache = folder.path(".build/causeway")
      let names = try FileManager.default.contentsOfDirectory(atPath: cache)
      let name = try #require(names.first { $0.first != "." })
      let whole = try folder.read(".build/causeway/" + name)
      for damaged in [
        "", "\n", "0\n", String(whole.dropLast(9)), "0" + whole.dropFirst(),
        whole.replacingOccurrences(of: "A.swift", with: "B.swift"), "x\u{0}" + whole,
      ] {
        try folder.write(".build/causeway/" + name, damaged)
        #expect(try causeway("check", ".", in: folder.path) == first)
      }
      try folder.write(".build/causeway/" + name, Data([0x31, 0x20, 0xFF, 0x0A]))
      #expect(try causeway("check", ".", in: folder.path) == first)
    }
  }

  @Test func `A file that cannot be read differs from the same file when it was empty`() {
    let module = SourceFinder.Module(name: "A", settings: BuildSettings(), paths: ["A.swift"])
    func cache(_ contents: Check.Contents, in folder: TemporaryFolder) -> ReportCache {
      ReportCache(
        folder: URL(fileURLWithPath: folder.path), words: [], modules: [module], contents: contents)
    }
    try? TemporaryFolder.with { folder in
      let entry = ReportCache.Entry(status: 0, output: "No findings.\n")
      cache(["A.swift": Check.Content(Data())], in: folder).store(entry)
      #expect(cache(["A.swift": Check.Content(Data())], in: folder).entry() == entry)
      #expect(cache([:], in: folder).entry() == nil)
    }
  }

  @Test func `Only a few outputs are kept`() throws {
    try TemporaryFolder.with { folder in
      for number in 0..<20 {
        try folder.write("A.swift", "struct A\(number) {}\n")
        _ = try causeway("check", ".", in: folder.path)
      }
      let kept = try FileManager.default.contentsOfDirectory(
        atPath: folder.path(".build/causeway"))
      #expect(kept.filter { $0.first != "." }.count == 16)
    }
  }

  @Test func `Digests differ when bytes move between two texts`() {
    func digest(_ texts: [String]) -> String {
      var digest = ContentDigest()
      for text in texts { digest.add(Data(text.utf8)) }
      return digest.text
    }
    var seen: Set<String> = []
    for length in 0..<40 {
      let text = String(repeating: "a", count: length)
      seen.insert(digest([text, "b"]))
      seen.insert(digest([text + "b", ""]))
      seen.insert(digest(["", text + "b"]))
    }
    #expect(seen.count == 119)
  }
}
