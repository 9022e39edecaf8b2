import Foundation
import SwiftSyntax

/// The parts of a file that the other files of its module can see.
struct FileOutline: Sendable {
  /// The declarations of types and extensions without their members.
  var heads: [TypeHead]
  var importsUserInterface: Bool
  var names: ModuleNames
  /// Digests of the code of types, extensions and functions, by their `Lookups` names.
  ///
  /// No rule reads the comments of other files.
  var texts: [String: String]
  /// Nil if no rule asks about folders.
  var folderNames: FolderNames?

  init(
    heads: [TypeHead], importsUserInterface: Bool, names: ModuleNames, texts: [String: String]
  ) {
    self.heads = heads
    self.importsUserInterface = importsUserInterface
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
    heads = facts.types.map(\.head)
    importsUserInterface = facts.importsUserInterface
  }

  /// The types of the file, for the table of types while the file is not parsed.
  var types: FileTypes {
    FileTypes(heads: heads, importsUserInterface: importsUserInterface, facts: nil)
  }

  /// Whether other files see the same heads of types.
  func declaresSame(as other: FileOutline) -> Bool {
    heads == other.heads && importsUserInterface == other.importsUserInterface
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
