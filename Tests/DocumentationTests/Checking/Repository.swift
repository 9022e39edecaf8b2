import Foundation

/// The files of this repository.
enum Repository {
  // Links are resolved, because the tests may be built from another folder that links to this one.
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "../../..").standardizedFileURL

  /// The text of a file.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The files in a folder and its subfolders, by path.
  ///
  /// Links are not followed.
  static func files(in folder: String, where isWanted: (String) -> Bool) throws -> [String] {
    let base = root.appending(path: folder)
    guard let contents = FileManager.default.enumerator(atPath: base.path()) else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: base.path()])
    }
    return contents.compactMap { $0 as? String }.map { "\(folder)/\($0)" }.filter(isWanted).sorted()
  }

  /// All documents that show code.
  static func documents() throws -> [MarkdownDocument] {
    let articles = try files(in: "Sources") { $0.contains(/\.docc\/.*\.md$/) }
    // Rules.md is generated from the comments of the checker's rules. Its examples are fragments,
    // half of them wrong on purpose. `devtools tutorial` compiles and runs Tutorial.md.
    let checked = ["Documentation/Rules.md", "Documentation/Tutorial.md"]
    let others = try files(in: "Documentation") {
      $0.hasSuffix(".md") && !checked.contains($0)
    }
    return try (["README.md", "CONTRIBUTING.md"] + others + articles).map {
      MarkdownDocument(path: $0, text: try text($0))
    }
  }

  /// All snippet files of all test targets, and the views of the articles.
  ///
  /// `make check` compiles the views, with declarations of SwiftUI.
  static func snippetFiles() throws -> [SnippetFile] {
    let tests = try files(in: "Tests") { $0.contains(/\/Snippets\/.*\.swift$/) }
    return try (tests + ["Examples/SwiftUI/Sources/Articles/Views.swift"]).map {
      SnippetFile(path: $0, text: try text($0))
    }
  }

  /// The Swift code of the tests of this package outside snippets, and of the example that articles quote.
  static func otherTestCode() throws -> [String] {
    let tests = try files(in: "Tests") { $0.hasSuffix(".swift") && !$0.contains("/Snippets/") }
    let example = try ["Examples/Meetings", "Examples/SwiftUI/Sources/Meetings"].flatMap {
      try files(in: $0) { $0.hasSuffix(".swift") }
    }
    return try (tests + example).map { DocumentationCheck.lines(of: try text($0)) }
  }
}
