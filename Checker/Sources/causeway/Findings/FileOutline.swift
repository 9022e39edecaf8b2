import Foundation
import SwiftSyntax

/// What other files of a module can see of a file.
///
/// While the heads, the names and the keys of the texts are the same, the file declares the same types
/// and functions, and the isolation of all types is the same.
struct FileOutline: Sendable {
  /// The declarations of types and extensions without their members, as Swift code.
  var heads: String
  var names: ModuleNames
  /// Digests of the texts of types, extensions and functions, by their `Lookups` names.
  var texts: [String: String]
  /// Nil if no rule asks about folders.
  var folderNames: FolderNames?

  init(heads: String, names: ModuleNames, texts: [String: String]) {
    self.heads = heads
    self.names = names
    self.texts = texts
  }

  init(_ file: SourceFile, _ facts: FileFacts, readsFolders: Bool) {
    folderNames = readsFolders ? FolderNames(file, facts) : nil
    names = ModuleNames(facts)
    var texts: [String: ContentDigest] = [:]
    for type in facts.types {
      let start = type.node.positionAfterSkippingLeadingTrivia.utf8Offset
      let end = type.node.endPositionBeforeTrailingTrivia.utf8Offset
      texts[type.name, default: ContentDigest()].add(Data(file[start..<end].utf8))
    }
    for function in facts.functions where function.isOutsideTypes {
      let name = Lookups.function(function.name.text)
      texts[name, default: ContentDigest()].add(Data(file[function.start..<function.end].utf8))
    }
    self.texts = texts.mapValues(\.text)
    heads = FileOutline.heads(of: file, facts)
  }

  /// Whether the file declares for others what it has declared before, except for the texts.
  func declaresSame(as other: FileOutline) -> Bool {
    heads == other.heads && names == other.names && texts.keys == other.texts.keys
  }

  /// Each type before those inside of it, which end first.
  private static func heads(of file: SourceFile, _ facts: FileFacts) -> String {
    var heads = facts.importsUserInterface ? "import SwiftUI\n" : ""
    var open: [(end: Int, closing: String)] = []
    func close(before start: Int) {
      while let last = open.last, last.end <= start {
        heads += last.closing
        open.removeLast()
      }
    }
    for type in facts.types {
      let start = type.node.positionAfterSkippingLeadingTrivia.utf8Offset
      let members = type.members.position.utf8Offset
      close(before: start)
      heads += type.isLocal ? "func _() {\n" : ""
      // A comment can follow the brace.
      heads += file[start..<max(start, members)]
      heads += "\n"
      open.append((type.node.end, type.isLocal ? "}\n}\n" : "}\n"))
    }
    close(before: .max)
    return heads
  }
}
