import Foundation

/// A place in a file that a rule reports.
struct Finding: Codable, Sendable {
  let rule: String
  /// The place, in UTF-8 bytes of the file's text.
  let range: Range<Int>
  /// One sentence: the problem and its reason.
  let message: String
  /// One sentence: the fix.
  let advice: String
  /// Changes that keep the meaning of the code; empty if a person must decide.
  var edits: [Edit] = []
}

/// A replacement of the bytes of a range.
struct Edit: Codable, Equatable, Sendable {
  let range: Range<Int>
  let replacement: String
}

/// A finding with its file.
struct LocatedFinding: Sendable {
  let file: SourceFile
  let finding: Finding

  var line: Int { file.location(of: finding.range.lowerBound).line }
  var column: Int { file.location(of: finding.range.lowerBound).column }

  /// The source line without leading and trailing white space.
  var lineText: String { file.line(line).trimmingCharacters(in: .whitespaces) }
}
