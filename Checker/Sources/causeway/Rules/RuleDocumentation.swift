import SwiftParser
import SwiftSyntax

/// Generates texts from the documentation comments of the rules.
enum RuleDocumentation {
  /// The comment of each rule in the sources, by the rule's id.
  static func texts(in sources: [SourceFile]) -> [String: String] {
    var texts: [String: String] = [:]
    for source in sources {
      for type in source.facts?.types ?? []
      where type.kind == .enum && type.inheritedNames == ["Rule"] {
        guard let id = id(of: type) else { continue }
        let lines = type.node.leadingTrivia.compactMap { piece -> String? in
          guard case .docLineComment(let line) = piece else { return nil }
          return String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3))
        }
        texts[id] = lines.joined(separator: "\n")
      }
    }
    return texts
  }

  /// The Swift file that holds the texts of some rules.
  static func swiftFile(
    variable: String, _ rules: [any Rule.Type], texts: [String: String]
  ) -> String {
    var file = """
      // Generated from the comments of the rules by `make rules`. Do not edit.

      let \(variable): [String: String] = [

      """
    for rule in rules {
      file += "  \"\(rule.id)\": #\"\"\"\n"
      for line in (texts[rule.id] ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
        file += line.isEmpty ? "\n" : "  \(line)\n"
      }
      file += "  \"\"\"#,\n"
    }
    return file + "]\n"
  }

  /// The page about all rules.
  static func page(texts: [String: String]) -> String {
    var page = """
      # Rules of `causeway check`

      Generated from the comments of the rules by `make rules`. Do not edit. `causeway check
      --explain RULE` prints a section; [the checker's README](../Checker/README.md) says how to run
      it.

      | rule | by default | reports |
      |---|---|---|

      """
    for rule in RuleSet.all {
      let text = RuleText(rule.id, markdown: texts[rule.id] ?? "")
      page += "| [\(rule.id)](#\(rule.id)) | \(rule.isDefault ? "on" : "off") | \(text.summary) |\n"
    }
    for rule in RuleSet.all {
      page += "\n## \(rule.id)\n\n\(texts[rule.id] ?? "")\n"
    }
    return page
  }

  private static func id(of type: DeclaredType) -> String? {
    for member in type.members {
      guard let variable = member.decl.as(VariableDeclSyntax.self), variable.boundNames == ["id"],
        let value = variable.bindings.first?.initializer?.value.as(StringLiteralExprSyntax.self)
      else { continue }
      return value.representedLiteralValue
    }
    return nil
  }
}
