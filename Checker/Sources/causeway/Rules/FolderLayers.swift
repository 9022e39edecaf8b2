import SwiftSyntax

/// Folders of a module that use each other.
///
/// If the folders form layers, a person can read them from the bottom up, test each of them alone,
/// and make each of them a module. A cycle joins its folders: a person who reads one of them has to
/// read all. The compiler ignores folders.
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
/// A folder uses another folder if its code names a type, a global function or a global variable of
/// that folder, or a member that an extension in that folder adds to a type of a third folder. The
/// folders are those directly in the folder of the module, with the folders inside of them. In each
/// cycle, the rule reports the edge with the fewest uses: all uses of one folder by another. Not
/// reported for names that several folders declare, and for private declarations. Off by default;
/// `layered: [Sources]` in `.causeway.yml` turns it on for the modules in some folders.
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
