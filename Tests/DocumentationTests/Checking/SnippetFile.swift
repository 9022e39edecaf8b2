/// A Swift file of a test target that documents show, as a whole or in parts.
///
/// A part is the code between a line `// snippet` and a line `// end`. It is shown without the
/// indentation of these lines. A file without parts is shown as a whole.
struct SnippetFile {
  struct Snippet {
    /// The first line of the snippet, counted from 1.
    let line: Int
    let code: String
  }

  let path: String
  private(set) var snippets: [Snippet] = []
  /// The problems of the file, by line.
  private(set) var problems: [(line: Int, text: String)] = []

  /// Reads the file's text.
  init(path: String, text: String) {
    self.path = path
    var open: (line: Int, indentation: Substring, lines: [Substring])?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in zip(1..., lines) {
      if line.contains(/^ *#if|\/\*/) {
        problems.append((number, "code that may not be compiled: do not use #if and /*"))
      }
      if let part = open {
        if line == "\(part.indentation)// end" {
          snippets.append(Snippet(line: part.line, code: part.lines.joined(separator: "\n")))
          open = nil
        } else if line.isEmpty || line.hasPrefix(part.indentation) {
          open?.lines.append(line.dropFirst(part.indentation.count))
        } else {
          problems.append((number, "a line with less indentation than its // snippet"))
        }
      } else if let marker = line.wholeMatch(of: /(?<indentation> *)\/\/ snippet/) {
        open = (number + 1, marker.indentation, [])
      } else if line.wholeMatch(of: /[ ]*\/\/ end/) != nil {
        problems.append((number, "an // end without a // snippet at the same indentation"))
      }
    }
    if let open { problems.append((open.line, "a // snippet without an // end")) }
    if snippets.isEmpty, problems.isEmpty {
      let code = text.hasSuffix("\n") ? String(text.dropLast()) : text
      snippets = [Snippet(line: 1, code: code)]
    }
  }
}
