import Foundation

/// A copy of the repository's sources, with a build of its own.
struct SourceCopy {
  let folder: String

  init(folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Copies the sources that differ, so the next build compiles only these.
  func update() throws {
    let files = FileManager.default
    let list = try Shell.output(
      Git.command("ls-files", "--cached", "--others", "--exclude-standard", "-z"))
    for file in list.split(separator: "\0") {
      var isFolder: ObjCBool = false
      let copy = "\(folder)/\(file)"
      guard files.fileExists(atPath: String(file), isDirectory: &isFolder), !isFolder.boolValue,
        !files.contentsEqual(atPath: String(file), andPath: copy)
      else { continue }
      try files.createDirectory(
        atPath: (copy as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try? files.removeItem(atPath: copy)
      // A link is copied as a file, so a patch of the copy changes only one file.
      let source = URL(fileURLWithPath: String(file)).resolvingSymlinksInPath().path
      try files.copyItem(atPath: source, toPath: copy)
      try files.setAttributes([.modificationDate: Date()], ofItemAtPath: copy)
    }
  }

  /// Removes sources that are gone, which would still be built.
  func removeGoneSources() throws {
    let command = ["find", ".", "-name", "*.swift", "-not", "-path", "*/.build/*"]
    for file in try Shell.output(command, in: folder).split(separator: "\n")
    where !FileManager.default.fileExists(atPath: String(file)) {
      try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
    }
  }
}
