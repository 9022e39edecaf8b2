/// Where in the source an effect was asked for.
package struct EffectPlace: Sendable, CustomStringConvertible {
  let fileID: StaticString
  // Half a word each: many effects at once are made of many of these.
  let line: UInt32
  let column: UInt32

  init(_ fileID: StaticString, _ line: UInt, _ column: UInt) {
    self.fileID = fileID
    self.line = UInt32(truncatingIfNeeded: line)
    self.column = UInt32(truncatingIfNeeded: column)
  }

  /// The file's id and the line.
  package var description: String { "\(fileID):\(line)" }
}

extension EffectPlace: Hashable {
  /// Whether both are the same place.
  package static func == (left: EffectPlace, right: EffectPlace) -> Bool {
    left.line == right.line && left.column == right.column
      && left.fileID.isSameText(as: right.fileID)
  }

  /// Hashes the line and the column.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(column)
  }
}

extension StaticString {
  /// The same call site has one address per specialised copy of its code, so the text decides.
  fileprivate func isSameText(as other: StaticString) -> Bool {
    if hasPointerRepresentation, other.hasPointerRepresentation, utf8Start == other.utf8Start {
      return true
    }
    return description == other.description
  }
}
