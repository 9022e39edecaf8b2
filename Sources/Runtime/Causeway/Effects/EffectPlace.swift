/// The source location of the call that requested an effect.
@usableFromInline
package struct EffectPlace: Sendable, CustomStringConvertible {
  let fileID: StaticString
  // `UInt32` to save memory: a program may hold many of these.
  let line: UInt32
  let column: UInt32

  @usableFromInline
  init(_ fileID: StaticString, _ line: UInt, _ column: UInt) {
    self.fileID = fileID
    self.line = UInt32(truncatingIfNeeded: line)
    self.column = UInt32(truncatingIfNeeded: column)
  }

  /// The file's id and the line.
  @usableFromInline package var description: String { "\(fileID):\(line)" }
}

extension EffectPlace: Hashable {
  /// Whether both are the same source location.
  @usableFromInline
  package static func == (left: EffectPlace, right: EffectPlace) -> Bool {
    left.line == right.line && left.column == right.column
      && left.fileID.isSameText(as: right.fileID)
  }

  /// Hashes the line and the column.
  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(column)
  }
}

extension StaticString {
  /// Compares the text, because each specialised copy of a call site may have its own address.
  fileprivate func isSameText(as other: StaticString) -> Bool {
    if hasPointerRepresentation, other.hasPointerRepresentation, utf8Start == other.utf8Start {
      return true
    }
    return description == other.description
  }
}
