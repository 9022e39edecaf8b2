import Foundation
import SwiftDiagnostics
import SwiftParser
import SwiftParserDiagnostics
import SwiftSyntax

/// A parsed Swift file.
///
/// Offsets are in UTF-8 bytes of `text`, which has no byte order mark.
struct SourceFile: Sendable {
  /// The path as given on the command line; messages show it.
  let path: String
  let text: String
  /// Whether the file begins with a byte order mark.
  ///
  /// A rewritten file keeps the mark.
  let hasByteOrderMark: Bool
  /// The syntax tree; empty if the code is nested too deeply for the parser.
  let tree: SourceFileSyntax
  /// The offset of the first byte of each line.
  let lineStarts: [Int]
  let syntaxErrors: [SyntaxError]
  /// The nodes that the rules check; nil for a file with syntax errors.
  let facts: FileFacts?

  /// The largest number of syntax errors that a report lists for a file.
  static let reportedErrors = 3

  struct SyntaxError: Sendable {
    let offset: Int
    let message: String
  }

  init(path: String, bytes: Data) throws(SourceFileError) {
    let content = try SourceFile.content(of: bytes, path: path)
    self.init(path: path, text: content.text, hasByteOrderMark: content.isMarked)
  }

  init(path: String, text: String, hasByteOrderMark: Bool = false) {
    self.path = path
    self.hasByteOrderMark = hasByteOrderMark
    var text = text
    text.makeContiguousUTF8()
    self.text = text
    lineStarts = SourceFile.lineStarts(of: text)
    if let excess = text.withContiguousBytes({ NestingScanner.excess(in: $0) }) {
      tree = Parser.parse(source: "")
      syntaxErrors = [SyntaxError(offset: excess, message: "the code is nested too deeply")]
      facts = nil
      return
    }
    tree = text.withContiguousBytes { Parser.parse(source: $0) }
    syntaxErrors = SourceFile.syntaxErrors(in: tree)
    facts = syntaxErrors.isEmpty ? FileFacts(tree) : nil
  }

  /// A file that is not parsed, for its text and its lines.
  ///
  /// - Throws: `SourceFileError` when the bytes are not UTF-8 text.
  init(unparsed bytes: Data, path: String) throws(SourceFileError) {
    let content = try SourceFile.content(of: bytes, path: path)
    self.path = path
    text = content.text
    hasByteOrderMark = content.isMarked
    tree = Parser.parse(source: "")
    lineStarts = SourceFile.lineStarts(of: content.text)
    syntaxErrors = []
    facts = nil
  }

  private static func content(
    of bytes: Data, path: String
  ) throws(SourceFileError) -> (text: String, isMarked: Bool) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let isMarked = bytes.starts(with: mark)
    let content = isMarked ? bytes.dropFirst(mark.count) : bytes
    guard var text = String(validating: content, as: UTF8.self) else {
      throw SourceFileError(path: path, message: "the file is not UTF-8 text")
    }
    text.makeContiguousUTF8()
    return (text, isMarked)
  }

  /// The syntax errors of a tree, or at least three of them.
  ///
  /// Reports list three errors of a file. The diagnostics of a whole tree can take quadratic time,
  /// so the statements and the members after the third error are not diagnosed.
  private static func syntaxErrors(in tree: SourceFileSyntax) -> [SyntaxError] {
    guard tree.hasError else { return [] }
    var found: [SyntaxError] = []
    for statement in tree.statements where statement.hasError {
      let inner = innerErrors(in: Syntax(statement), limit: reportedErrors - found.count)
      // If there are few errors inside the statement, there can be others around them.
      found += inner.count >= reportedErrors - found.count ? inner : errors(in: statement)
      if found.count >= reportedErrors { return found }
    }
    // An error can also be outside the statements, for example a superfluous brace at the end.
    return found.isEmpty ? errors(in: tree) : found
  }

  private static func errors(in node: some SyntaxProtocol) -> [SyntaxError] {
    ParseDiagnosticsGenerator.diagnostics(for: node)
      .filter { $0.diagMessage.severity == .error }
      .map { SyntaxError(offset: $0.position.utf8Offset, message: $0.message) }
  }

  /// The errors of the innermost statements and members, up to the first that exceeds the limit.
  ///
  /// The errors of statements and members around them are not included.
  private static func innerErrors(in item: Syntax, limit: Int) -> [SyntaxError] {
    var found: [SyntaxError] = []
    // A loop, because an expression can be nested too deeply for a recursion.
    var pending = [item]
    while found.count < limit, let node = pending.popLast() {
      if node.id != item.id,
        node.is(CodeBlockItemSyntax.self) || node.is(MemberBlockItemSyntax.self)
      {
        let inner = innerErrors(in: node, limit: limit - found.count)
        found += inner.isEmpty ? errors(in: node) : inner
      } else {
        pending += node.children(viewMode: .sourceAccurate).filter(\.hasError).reversed()
      }
    }
    return found
  }

  /// Line breaks are `\n`, `\r\n` and `\r`, as in the compiler.
  private static func lineStarts(of text: String) -> [Int] {
    var starts = [0]
    text.withContiguousBytes { bytes in
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
        if byte == 0x0A || byte == 0x0D { starts.append(index) }
      }
    }
    return starts
  }

  /// The 1-based line and column of an offset.
  ///
  /// Columns count UTF-8 bytes, as in the compiler.
  func location(of offset: Int) -> (line: Int, column: Int) {
    var low = 0
    var high = lineStarts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return (low + 1, offset - lineStarts[low] + 1)
  }

  /// The text of a 1-based line without its line break.
  func line(_ number: Int) -> Substring {
    let start = lineStarts[number - 1]
    let end = number < lineStarts.count ? lineStarts[number] : text.utf8.count
    let line = self[start..<end]
    return line.prefix { !$0.isNewline }
  }

  /// The text between two offsets.
  subscript(range: Range<Int>) -> Substring {
    let bytes = text.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
    return text[start..<bytes.index(start, offsetBy: range.count)]
  }
}

/// The reason why a file could not be read or written.
struct SourceFileError: Error, CustomStringConvertible {
  let path: String
  let message: String
  var description: String { "\(path): \(message)" }
}

extension String {
  /// Calls the closure with the bytes of a contiguous string.
  fileprivate func withContiguousBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    var copy = self
    return copy.withUTF8(body)
  }
}
