import Foundation
import Testing

/// The Swift code in README.md and the files in Snippets/, which are compiled with these tests.
struct ReadmeTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let readme = folder.appending(path: "../../README.md")

  private func snippets() throws -> [String: String] {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.folder.appending(path: "Snippets"), includingPropertiesForKeys: nil)
    return Dictionary(
      uniqueKeysWithValues: try files.map {
        ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
      })
  }

  /// What stands between a line "```swift" and the next line "```".
  private func codeBlocks() throws -> [String] {
    let lines = try String(contentsOf: Self.readme, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    var blocks: [String] = []
    var block: String?
    for line in lines {
      switch (line, block) {
      case ("```swift", _):
        block = ""
      case ("```", let finished?):
        blocks.append(finished)
        block = nil
      case (_, let code?):
        block = code + line + "\n"
      default:
        break
      }
    }
    return blocks
  }

  @Test func `each code block is a file that compiles`() throws {
    let snippets = try snippets()
    let blocks = try codeBlocks()
    #expect(!blocks.isEmpty)
    for block in blocks {
      #expect(
        snippets.values.contains(block),
        "No file in Tests/DocumentationTests/Snippets has exactly this code:\n\(block)")
    }
  }

  @Test func `each compiled file is shown`() throws {
    let blocks = try codeBlocks()
    for (name, code) in try snippets() {
      #expect(blocks.contains(code), "README.md does not show Snippets/\(name) as it is.")
    }
  }
}
