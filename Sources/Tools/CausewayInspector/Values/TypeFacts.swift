import Foundation
import Synchronization

/// The facts about a type that the inspector needs; found once for each type of the program.
struct TypeFacts: Sendable {
  /// A common type whose values are shown without their parts.
  enum Leaf: Sendable {
    case string, substring, character, url
    case bool, integer, number, date, uuid, data, decimal, duration
  }

  /// The name with the outer types, such as `Search.State`.
  let name: String
  /// Whether the name says that the values are secrets.
  let isSecret: Bool
  /// The common type of the values, also of those in an optional; `nil` for other types.
  let leaf: Leaf?

  private static let known = Mutex<[ObjectIdentifier: TypeFacts]>([:])

  /// Returns the facts of a value's type.
  ///
  /// Complexity: O(1) from the second value of a type on. Isolation: any.
  static func of(_ value: Any) -> TypeFacts {
    let type = type(of: value)
    let id = ObjectIdentifier(type)
    if let facts = known.withLock({ $0[id] }) { return facts }
    let facts = TypeFacts(type)
    known.withLock { $0[id] = facts }
    return facts
  }

  private init(_ type: Any.Type) {
    name = TypeName.full(type)
    isSecret = RedactionRules.isSecret("\(type)")
    leaf = Self.leaf(type)
  }

  private static func leaf(_ type: Any.Type) -> Leaf? {
    if let optional = type as? any OptionalValue.Type { return leaf(optional.wrapped) }
    return switch type {
    case is String.Type: .string
    case is Substring.Type: .substring
    case is Character.Type: .character
    case is URL.Type: .url
    case is Bool.Type: .bool
    case is any BinaryInteger.Type: .integer
    case is any BinaryFloatingPoint.Type: .number
    case is Date.Type: .date
    case is UUID.Type: .uuid
    case is Data.Type: .data
    case is Decimal.Type: .decimal
    case is Duration.Type: .duration
    default: nil
    }
  }
}

/// An optional, whose type is not known.
protocol OptionalValue {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalValue {
  static var wrapped: Any.Type { Wrapped.self }
}
