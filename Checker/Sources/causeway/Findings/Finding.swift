/// A place in a file that a rule objects to.
struct Finding: Sendable {
  let rule: String
  /// Where it is, in UTF-8 bytes of the file's text.
  let range: Range<Int>
  /// One sentence: what is wrong and why.
  let message: String
  /// What to do, as a sentence.
  let advice: String
  /// Changes that keep the meaning; empty when a person has to decide.
  var edits: [Edit] = []
}

/// A replacement of the bytes of a range.
struct Edit: Equatable, Sendable {
  let range: Range<Int>
  let replacement: String
}

/// A finding with the file that it is in.
struct LocatedFinding: Sendable {
  let file: SourceFile
  let finding: Finding

  var line: Int { file.location(of: finding.range.lowerBound).line }
  var column: Int { file.location(of: finding.range.lowerBound).column }
}
