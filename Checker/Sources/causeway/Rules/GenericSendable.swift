import SwiftSyntax

/// A generic parameter without `Sendable` in an `async` method of a main-actor type.
///
/// The method cannot pass a value of the parameter's type to another actor. The compiler reports
/// the error in the body, but its cause is in the signature.
///
/// Bad:
/// ```swift
/// @MainActor
/// func write<Body: Encodable>(_ body: Body) async
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// func write<Body: Encodable & Sendable>(_ body: Body) async
/// ```
///
/// Off by default: many such methods keep their values on the main actor, and the compiler reports
/// the other methods.
enum GenericSendable: Rule {
  static let id = "generic-sendable"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.functions.flatMap { function -> [Finding] in
      guard function.signature.effectSpecifiers?.asyncSpecifier != nil,
        let generics = function.genericParameterClause?.parameters,
        file.isolation(of: function, function.attributes, function.modifiers, isAsync: true)
          == .mainActor,
        function.body?.directDescendants(AwaitExprSyntax.self).isEmpty == false
      else { return [] }
      let constraints = function.genericWhereClause?.trimmedDescription ?? ""
      return generics.compactMap { parameter in
        let name = parameter.name.text
        let inherited = parameter.inheritedType?.simpleNames ?? []
        guard !inherited.contains(where: { isSendable($0, in: file) }),
          !constraints.contains("Sendable"),
          function.signature.parameterClause.parameters.contains(where: {
            $0.type.mentions(name)
          })
        else { return nil }
        return finding(
          at: parameter.name,
          "values of '\(name)' cannot leave the main actor: it is not constrained to 'Sendable'",
          advice: "constrain it to 'Sendable' if the method passes its values to other actors")
      }
    }
  }

  private static func isSendable(_ name: String, in file: CheckedFile) -> Bool {
    name == "Sendable" || KnownNames.refiningSendable.contains(name)
      || file.types.resolve(name).map { file.types.conforms($0, to: ["Sendable"]) } == true
  }
}
