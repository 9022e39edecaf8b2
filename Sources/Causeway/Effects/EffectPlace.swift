/// Where in the source an effect was asked for.
package struct EffectPlace: Sendable, CustomStringConvertible {
  let fileID: StaticString
  let line: UInt

  /// The file's id and the line.
  package var description: String { "\(fileID):\(line)" }
}
