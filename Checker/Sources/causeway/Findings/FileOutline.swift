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
  /// Digests of the code of types, extensions and functions, by their `Lookups` names.
  ///
  /// No rule reads the comments of other files.
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
    for type in facts.types { texts[type.name, default: ContentDigest()].add(code: type.node) }
    for function in facts.functions where function.isOutsideTypes {
      texts[Lookups.function(function.name.text), default: ContentDigest()].add(code: function)
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

extension ContentDigest {
  /// Adds the tokens of a node, without comments and white space.
  fileprivate mutating func add(code node: some SyntaxProtocol) {
    var bytes = Data(capacity: node.totalLength.utf8Length)
    for token in node.tokens(viewMode: .sourceAccurate) {
      bytes.append(contentsOf: token.text.utf8)
      bytes.append(0)
    }
    add(bytes)
  }
}
