import SwiftSyntax

/// Folders of a module that use each other.
///
/// Folders that form layers can be read from the bottom up, tested alone and made a module of their
/// own. A cycle joins its folders: who reads one has to read all. The compiler sees no folders.
///
/// Bad:
/// ```swift
/// // Storage/Database.swift
/// struct Database { var cache: ImageCache }
/// // Images/ImageCache.swift
/// struct ImageCache { var rows: RowStore }
/// // Storage/RowStore.swift
/// struct RowStore {}
/// ```
///
/// Good: the declaration moves to a folder below both.
/// ```swift
/// // Rows/RowStore.swift
/// struct RowStore {}
/// ```
///
/// A folder uses another if its code names a type, a global function or a global variable of it, or a
/// member that is declared there in an extension of another folder's type. The folders are those
/// directly in the folder of the module, with the folders inside of them. In each cycle, the rule
/// reports the uses of the folder that uses the next one least. Not reported for names that several
/// folders declare, and for private declarations. Off by default; `layered: [Sources]` in
/// `.causeway.yml` turns it on for the modules in some folders.
enum FolderLayers: Rule {
  static let id = "folder-layers"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    guard let uses = file.types.folders.uses[file.source.path] else { return [] }
    let offsets = FolderUses(file.source).offsets
    return uses.compactMap { use in
      guard let start = offsets[use.name] else { return nil }
      let name = FolderGraph.shown(use.name)
      return Finding(
        rule: id, range: start..<start + 1,
        message: "'\(name)' of the folder '\(use.folder)' closes a cycle: \(use.reason)",
        advice: "move one of the declarations to a folder below both")
    }
  }
}
