/// The code blocks of a Markdown file.
struct MarkdownDocument {
  /// The code between two fences.
  struct CodeBlock {
    /// The line of the opening fence, counted from 1.
    let line: Int
    let language: String
    /// The code without the fences' indentation.
    let code: String
    /// The reason why the code is not compiled, from the line above; `nil` if there is none.
    let exemption: String?
  }

  let path: String
  private(set) var blocks: [CodeBlock] = []
  /// The problems of the file, by line.
  private(set) var problems: [(line: Int, text: String)] = []

  /// Reads the file's text.
  init(path: String, text: String) {
    self.path = path
    var open: (line: Int, indentation: Substring, language: String, lines: [Substring])?
    var exemption: String?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in zip(1..., lines) {
      if let block = open {
        if line == "\(block.indentation)```" {
          blocks.append(
            CodeBlock(
              line: block.line, language: block.language,
              code: block.lines.joined(separator: "\n"), exemption: exemption))
          open = nil
          exemption = nil
        } else {
          open?.lines.append(line.dropFirst(block.indentation.count))
        }
      } else if let fence = line.wholeMatch(of: /(?<indentation> *)```(?<language>\w*)/) {
        open = (number, fence.indentation, String(fence.language), [])
      } else if line.contains("```") {
        problems.append((number, "a fence that is neither ``` nor ``` and a language"))
      } else if !line.allSatisfy(\.isWhitespace) {
        exemption = line.wholeMatch(of: /[ ]*<!-- not compiled:(.*)-->/).map { match in
          String(match.1.drop { $0 == " " }).replacing(/[ ]+$/, with: "")
        }
      }
    }
    if let open { problems.append((open.line, "a code block that does not end")) }
  }
}
