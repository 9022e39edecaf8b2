import Foundation
import Testing

/// The Swift code of the article is the code in Article/, which is compiled and run with these
/// tests.
struct ArticleTests {
  @Test func `each code block is a file that compiles, and each file is shown`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let article = try String(
      contentsOf: folder.appending(
        path: "../../Sources/CausewayTesting/CausewayTesting.docc/TestingAFeature.md"),
      encoding: .utf8)
    let blocks = article.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    let files = try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: "Article"), includingPropertiesForKeys: nil)
    let snippets = try files.map { try String(contentsOf: $0, encoding: .utf8) }
    #expect(!blocks.isEmpty)
    #expect(Set(blocks) == Set(snippets))
  }
}
