/// The name of an effect, for policies and for cancelling it.
///
/// Any hashable value serves; a string literal converts by itself. Without a name, an effect is
/// identified by the place of the call that made it.
public struct EffectID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  enum Storage: Sendable {
    case value(any Hashable & Sendable)
    case site(file: StaticString, line: UInt, column: UInt)
  }

  let storage: Storage

  /// Makes an id from a value; equal values make equal ids.
  public init(_ value: some Hashable & Sendable) {
    storage = .value(value)
  }

  /// Makes an id from a name.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  init(fileID: StaticString, line: UInt, column: UInt) {
    storage = .site(file: fileID, line: line, column: column)
  }

  /// The value, or the file, line and column of the call.
  public var description: String {
    switch storage {
    case .value(let value): "\(value)"
    case .site(let file, let line, let column): "\(file):\(line):\(column)"
    }
  }

  /// Whether both name the same effect.
  public static func == (left: EffectID, right: EffectID) -> Bool {
    switch (left.storage, right.storage) {
    case (.value(let left), .value(let right)):
      AnyHashable(left) == AnyHashable(right)
    case (.site(let leftFile, let leftLine, let leftColumn), .site(let file, let line, let column)):
      leftLine == line && leftColumn == column && leftFile.isSameText(as: file)
    default:
      false
    }
  }

  /// Hashes the value, or the line and column of the call.
  public func hash(into hasher: inout Hasher) {
    switch storage {
    case .value(let value):
      hasher.combine(AnyHashable(value))
    case .site(_, let line, let column):
      hasher.combine(line)
      hasher.combine(column)
    }
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
