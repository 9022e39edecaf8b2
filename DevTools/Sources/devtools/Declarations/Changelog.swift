import Foundation

/// The removed and changed declarations that the changelog names.
struct Changelog {
  /// The words in code, between two backticks, in the section "Changed" of the next release.
  let changed: Set<String>

  init(_ text: String) {
    var isNext = false
    var isChanged = false
    var words: Set<String> = []
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("## ") { isNext = line.contains("Unreleased") }
      if line.hasPrefix("### ") { isChanged = isNext && line.contains("Changed") }
      guard isNext, isChanged else { continue }
      for (index, code) in line.components(separatedBy: "`").enumerated() where index % 2 == 1 {
        words.formUnion(code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
      }
    }
    changed = words
  }

  /// The removed declarations that the section does not name.
  ///
  /// The name of an initializer, a subscript, an operator or a conformance is the name of its type.
  /// If the section names a removed type, it need not name the members of the type.
  func unnamed(_ removed: [String]) -> [String] {
    func owner(_ line: String) -> String { line.components(separatedBy: ": ")[0] }
    let type = #/: (@[A-Za-z]+ |open |final |indirect )*(struct|class|enum|actor|protocol) /#
    let member = #/ (?:func|var|let|case|typealias|associatedtype) ([A-Za-z_][A-Za-z0-9_]*)/#
    let gone = Set(removed.filter { $0.contains(type) }.map(owner))
    return removed.filter { line in
      let owner = owner(line)
      let typeName = owner.components(separatedBy: ".").last ?? owner
      if gone.contains(owner), changed.contains(typeName) { return false }
      return !changed.contains(line.firstMatch(of: member).map { String($0.1) } ?? typeName)
    }
  }
}
