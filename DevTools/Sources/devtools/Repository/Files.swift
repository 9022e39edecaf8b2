import Foundation

/// Reads files of the repository.
enum Files {
  /// The files below some folders, in the order of their paths, without links, hidden files and articles.
  ///
  /// - Parameter extensions: The extensions that the files may have.
  static func paths(below folders: [String], extensions: Set<String>) -> [String] {
    folders.flatMap { folder in
      entries(of: folder).flatMap { path -> [String] in
        let kind = (path as NSString).pathExtension
        switch try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        {
        case .typeRegular? where extensions.contains(kind): return [path]
        case .typeDirectory? where kind != "docc":
          return paths(below: [path], extensions: extensions)
        default: return []
        }
      }
    }
  }

  /// The paths of the entries of a folder that are not hidden, in order; none if there is no folder.
  static func entries(of folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
  }

  static func isFolder(_ path: String) -> Bool { exists("\(path)/.") }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// The lines of a file, without the empty text behind the last line break.
  static func lines(_ path: String) throws -> [String] {
    var lines = try text(path).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  /// Makes a folder empty, and its parents too if there are none.
  static func clear(_ folder: String) throws {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }
}
