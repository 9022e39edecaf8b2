import Foundation
import Testing

@testable import causeway

struct FixTests {
  @Test func `A file keeps its permissions, and a link stays a link`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("real/A.swift", "@MainActor class A { @MainActor var x = 1 }")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o640], ofItemAtPath: folder.path("real/A.swift"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("B.swift"), withDestinationPath: "real/A.swift")
      try causeway("check", "--fix", "B.swift", in: folder.path)
      #expect(try folder.read("real/A.swift") == "@MainActor class A { var x = 1 }")
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("real/A.swift"))
      #expect(attributes[.posixPermissions] as? NSNumber == 0o640)
      let target = try FileManager.default.destinationOfSymbolicLink(
        atPath: folder.path("B.swift"))
      #expect(target == "real/A.swift")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path("real")) == ["A.swift"])
    }
  }

  @Test func `A file with two paths is reported once and fixed once`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("A.swift", "@MainActor class A { @MainActor var x = 1 }")
      try folder.write("z/B.swift", "@MainActor class B { @MainActor var x = 1 }")
      let paths = try causeway("check", ".", "./A.swift", "z/../A.swift", in: folder.path)
      #expect(paths.output.contains("2 findings in 2 files"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("Link.swift"), withDestinationPath: "A.swift")
      #expect(try causeway("check", "--fix", ".", in: folder.path).status == 0)
      #expect(try folder.read("Link.swift") == "@MainActor class A { var x = 1 }")
      #expect(try folder.read("z/B.swift") == "@MainActor class B { var x = 1 }")
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("Link.swift"))
          == "A.swift")
    }
  }

  @Test func `A file of two targets gets only fixes that are valid for both`() throws {
    try TemporaryFolder.with { folder in
      try folder.write(
        "Package.swift",
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(
          name: "P",
          targets: [
            .target(name: "A", swiftSettings: [.defaultIsolation(MainActor.self)]),
            .target(name: "B"),
          ])
        """)
      let code = """
        final class Feed {
          @MainActor func show() {}
        }
        @MainActor final class Page {
          @MainActor func show() {}
        }

        """
      try folder.write("Sources/A/Feed.swift", code)
      try folder.write("Sources/B/B.swift", "")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("Sources/B/Feed.swift"), withDestinationPath: "../A/Feed.swift")
      let result = try causeway("check", "--fix", ".", in: folder.path)
      #expect(result.status == 1, "\(result.output)")
      #expect(
        try folder.read("Sources/A/Feed.swift")
          == """
          final class Feed {
            @MainActor func show() {}
          }
          @MainActor final class Page {
            func show() {}
          }

          """)
    }
  }

  @Test func `A file that cannot be written is reported, and the other files are fixed`() throws {
    try TemporaryFolder.with { folder in
      // The name of the temporary file is too long for the file system.
      let long = String(repeating: "a", count: 245) + ".swift"
      try folder.write(long, "@MainActor class A { @MainActor var x = 1 }")
      try folder.write("B.swift", "@MainActor class B { @MainActor var x = 1 }")
      try folder.write("c.swift", "@MainActor class C { @MainActor var x = 1 }")
      let result = try causeway("check", "--fix", ".", in: folder.path)
      #expect(result.status == 2)
      #expect(result.output.contains(".swift:1:1: error: not fixed: "))
      #expect(result.output.contains("2 fixed"))
      #expect(try folder.read(long) == "@MainActor class A { @MainActor var x = 1 }")
      for name in ["B", "c"] {
        #expect(try !folder.read(name + ".swift").contains("@MainActor var"), "\(name)")
      }
    }
  }

  @Test func `A file that has changed since it was read is not replaced`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("A.swift", "let a = 2\n")
      let read = SourceFile(path: folder.path("A.swift"), text: "let a = 1\n")
      let fixed = SourceFile(path: folder.path("A.swift"), text: "let a = 3\n")
      #expect(throws: SourceFileError.self) { try FileReplacement.write(fixed, over: read) }
      #expect(try folder.read("A.swift") == "let a = 2\n")
    }
  }

  @Test func `After a kill, each file is either unchanged or complete`() throws {
    try TemporaryFolder.with { folder in
      let count = 300
      let body = String(repeating: "  @MainActor func f() { print(\"some text\") }\n", count: 200)
      func old(_ index: Int) -> String { "@MainActor final class A\(index) {\n" + body + "}\n" }
      func new(_ index: Int) -> String {
        old(index).replacingOccurrences(of: "  @MainActor func", with: "  func")
      }
      for index in 0..<count { try folder.write("A\(index).swift", old(index)) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Products.causeway)
      process.arguments = ["check", "--fix", "--format", "json", folder.path]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      // The files are written in the order of their paths, so the first file shows that writing
      // began.
      let first = folder.path("A0.swift")
      while process.isRunning, try String(contentsOfFile: first, encoding: .utf8) == old(0) {}
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      var rewritten = 0
      for index in 0..<count {
        let text = try folder.read("A\(index).swift")
        if text == new(index) { rewritten += 1 } else { #expect(text == old(index)) }
      }
      #expect(rewritten > 0)
      // The next run fixes the remaining files.
      #expect(try causeway("check", "--fix", folder.path).status == 0)
      for index in 0..<count { #expect(try folder.read("A\(index).swift") == new(index)) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == count)
    }
  }

  @Test func `A run removes the temporary files of killed runs, and no others`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("a/A.swift", "@MainActor class A { @MainActor var x = 1 }")
      try folder.write("b/Clean.swift", "struct B {}")
      let abandoned = ["a/.causeway-1-A.swift", "b/.causeway-22-Clean.swift"]
      let others = ["a/.causeway-A.swift", "a/.causeway-1-A.txt", "b/.hidden.swift"]
      let locked = "b/.causeway-333-Clean.swift"
      for name in abandoned + others + [locked] { try folder.write(name, "half") }
      let descriptor = open(folder.path(locked), O_RDONLY)
      defer { close(descriptor) }
      #expect(flock(descriptor, LOCK_EX) == 0)
      try causeway("check", folder.path)
      #expect(FileManager.default.fileExists(atPath: folder.path(abandoned[0])))
      try causeway("check", "--fix", folder.path)
      for name in abandoned {
        #expect(!FileManager.default.fileExists(atPath: folder.path(name)), "\(name)")
      }
      for name in others + [locked] {
        #expect(FileManager.default.fileExists(atPath: folder.path(name)), "\(name)")
      }
      #expect(try folder.read("a/A.swift") == "@MainActor class A { var x = 1 }")
    }
  }

  @Test func `The earlier of two overlapping edits is applied`() {
    let edits = [
      Edit(range: 2..<5, replacement: "x"), Edit(range: 4..<6, replacement: "y"),
      Edit(range: 6..<6, replacement: "z"),
    ]
    #expect(Fixer.applying(edits, to: "abcdefgh").text == "abxfzgh")
  }

  @Test func `Nested hops are all removed`() throws {
    let code = """
      @MainActor final class A {
        var x = 0
        func f() {
          print("start")
          Task { @MainActor in
            await MainActor.run { x = 1 }
            await MainActor.run { x = 2 }
          }
        }
      }
      """
    let source = SourceFile(path: "A.swift", text: code)
    let check = Check(rules: RuleSet.all, jobs: 1, progress: { _, _ in })
    let outcome = Fixer(check: check).fix([.init(settings: BuildSettings(), files: [source])]) {
      _ in true
    }
    let text = try #require(outcome.changed.first?.fixed.text)
    #expect(!text.contains("MainActor.run") && !text.contains("{ @MainActor in"))
    #expect(text.contains("x = 1") && text.contains("x = 2"))
  }
}
