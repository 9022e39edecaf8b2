import Foundation
import SwiftSyntax

/// What other files of a module can see of a file.
struct FileOutline: Sendable {
  /// A digest of the heads of all types and of the file's part of the module's names.
  ///
  /// While it is the same, the file declares the same types and functions, and the isolation of all
  /// types is the same.
  var head: String
  var names: ModuleNames
  /// Digests of the texts of types, extensions and functions, by their `Lookups` names.
  var texts: [String: String]

  init(head: String, names: ModuleNames, texts: [String: String]) {
    self.head = head
    self.names = names
    self.texts = texts
  }

  init(_ file: SourceFile, _ facts: FileFacts) {
    names = ModuleNames(facts)
    var head = ContentDigest()
    var texts: [String: ContentDigest] = [:]
    func add(_ text: some StringProtocol) { head.add(Data(text.utf8)) }
    add(facts.importsUserInterface ? "UI" : "")
    for path in ModuleNames.all {
      for name in names[keyPath: path].sorted() { add(name) }
      add("\n")
    }
    for type in facts.types {
      // The member block is not part of the head.
      let start = type.node.positionAfterSkippingLeadingTrivia.utf8Offset
      let members = type.members.position.utf8Offset
      add("\(type.kind) \(type.name) \(type.isLocal)")
      add(file[start..<max(start, members)])
      let end = type.node.endPositionBeforeTrailingTrivia.utf8Offset
      texts[type.name, default: ContentDigest()].add(Data(file[start..<end].utf8))
    }
    for function in facts.functions where function.isOutsideTypes {
      let name = Lookups.function(function.name.text)
      add(name)
      texts[name, default: ContentDigest()].add(Data(file[function.start..<function.end].utf8))
    }
    self.head = head.text
    self.texts = texts.mapValues(\.text)
  }
}
