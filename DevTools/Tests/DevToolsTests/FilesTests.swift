import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct FilesTests {
  @Test
  func `files are listed without links, hidden files and articles`() throws {
    try Interruption.withTemporaryFolder { folder in
      for part in ["b", "a", ".build", "Kit.docc"] {
        try Files.clear("\(folder)/\(part)")
        try Files.write("one\ntwo\n", to: "\(folder)/\(part)/File.swift")
      }
      try Files.write("", to: "\(folder)/README.md")
      try Shell.run(["ln", "-s", "a", "\(folder)/link"])
      let paths = Files.paths(below: [folder], extensions: ["swift"])
      #expect(paths == ["\(folder)/a/File.swift", "\(folder)/b/File.swift"])
      #expect(try Files.lines("\(folder)/a/File.swift") == ["one", "two"])
    }
  }
}
