import SwiftSyntax

/// The type of an expression, as far as declarations state it.
indirect enum StatedType: Sendable {
  /// A named type. The name is the full name if the module declares the type.
  case named(String, [StatedType])
  case optional(StatedType)
  case list(StatedType)
  case table(key: StatedType, value: StatedType)
  case tuple([(label: String?, type: StatedType)])
  /// A function that returns nothing and can outlive a call, so it is a callback.
  case callback
  case unknown

  private static let lists: Set<String> = [
    "Array", "ArraySlice", "ContiguousArray", "Set", "Deque", "OrderedSet", "IdentifiedArray",
  ]
  private static let tables: Set<String> = ["Dictionary", "OrderedDictionary"]

  /// Reads a written type; `scope` is the type around it.
  init(_ type: TypeSyntax, in scope: String, _ types: TypeTable, isParameter: Bool = false) {
    func nested(_ type: TypeSyntax) -> StatedType { StatedType(type, in: scope, types) }
    if let array = type.as(ArrayTypeSyntax.self) {
      self = .list(nested(array.element))
    } else if let table = type.as(DictionaryTypeSyntax.self) {
      self = .table(key: nested(table.key), value: nested(table.value))
    } else if let optional = type.as(OptionalTypeSyntax.self) {
      self = .optional(nested(optional.wrappedType))
    } else if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      self = .optional(nested(optional.wrappedType))
    } else if type.is(FunctionTypeSyntax.self) {
      self = StatedType(callback: type, isEscaping: !isParameter)
    } else if let attributed = type.as(AttributedTypeSyntax.self) {
      if attributed.baseType.functionType != nil, !attributed.baseType.is(OptionalTypeSyntax.self) {
        let isEscaping = !isParameter || type.attributeNames.contains("escaping")
        self = StatedType(callback: attributed.baseType, isEscaping: isEscaping)
      } else {
        self = StatedType(attributed.baseType, in: scope, types, isParameter: isParameter)
      }
    } else if let tuple = type.as(TupleTypeSyntax.self) {
      if tuple.elements.count == 1, let only = tuple.elements.first {
        self = StatedType(only.type, in: scope, types, isParameter: isParameter)
      } else {
        self = .tuple(tuple.elements.map { ($0.firstName?.text, nested($0.type)) })
      }
    } else if let some = type.as(SomeOrAnyTypeSyntax.self) {
      self = nested(some.constraint)
    } else if let name = type.simpleName {
      self = StatedType(name, type.genericArguments.map(nested), in: scope, types)
    } else {
      self = .unknown
    }
  }

  private init(callback type: TypeSyntax, isEscaping: Bool) {
    let result = type.functionType?.returnClause.type.trimmedDescription ?? ""
    self = isEscaping && ["Void", "()"].contains(result) ? .callback : .unknown
  }

  /// Resolves the name of a type.
  init(_ name: String, _ arguments: [StatedType], in scope: String, _ types: TypeTable) {
    if let full = types.resolve(name, in: scope) {
      self = .named(full, arguments)
    } else if let alias = types.alias(name, in: scope) {
      self = StatedType(alias, in: scope, types)
    } else if let element = arguments.first, Self.lists.contains(name) {
      self = .list(element)
    } else if arguments.count == 2, Self.tables.contains(name) {
      self = .table(key: arguments[0], value: arguments[1])
    } else if let wrapped = arguments.first, name == "Optional" {
      self = .optional(wrapped)
    } else {
      self = .named(name, arguments)
    }
  }

  /// The type without optionals around it.
  var unwrapped: StatedType {
    if case .optional(let wrapped) = self { wrapped.unwrapped } else { self }
  }

  /// The elements of a sequence.
  var element: StatedType {
    switch unwrapped {
    case .list(let element): element
    case .table(let key, let value): .tuple([("key", key), ("value", value)])
    default: .unknown
    }
  }

  /// The name of a nominal type, without the types around it.
  var lastName: String? {
    guard case .named(let name, _) = unwrapped else { return nil }
    return name.split(separator: ".").last.map(String.init)
  }
}

extension TypeSyntax {
  /// The arguments of the last name.
  fileprivate var genericArguments: [TypeSyntax] {
    let clause =
      self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
    return (clause?.arguments).map(types) ?? []
  }

  private func types(in arguments: GenericArgumentListSyntax) -> [TypeSyntax] {
    arguments.compactMap { argument in
      if case .type(let type) = argument.argument { type } else { nil }
    }
  }
}

extension TypeTable {
  /// The type that a type alias of the scope, or of a type around it, stands for.
  fileprivate func alias(_ name: String, in scope: String) -> TypeSyntax? {
    var scope = scope
    while !scope.isEmpty {
      for member in entries[scope]?.everyMember ?? [] {
        if let alias = member.decl.as(TypeAliasDeclSyntax.self), alias.name.text == name {
          // An alias of its own name, such as `typealias ID = Other.ID`, would not end.
          let isOther = !alias.initializer.value.mentions(name)
          return isOther ? alias.initializer.value : nil
        }
      }
      scope = scope.lastIndex(of: ".").map { String(scope[..<$0]) } ?? ""
    }
    return nil
  }
}
