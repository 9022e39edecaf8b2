import Foundation

/// A folder that is removed after a test.
///
/// It lies in its own repository, so a manifest in the system's temporary folder does not apply to
/// its files.
struct TemporaryFolder {
  private let root: URL

  static func with<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
    let repository = FileManager.default.temporaryDirectory
      .appendingPathComponent("causeway-checker-\(UUID().uuidString)")
    let root = repository.appendingPathComponent("files")
    for folder in [root, repository.appendingPathComponent(".git")] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(at: repository) }
    return try body(TemporaryFolder(root: root))
  }

  var path: String { root.path }

  func path(_ name: String) -> String { root.appendingPathComponent(name).path }

  func write(_ name: String, _ text: String) throws {
    try write(name, Data(text.utf8))
  }

  func write(_ name: String, _ data: Data) throws {
    let url = root.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
  }
}

/// Runs a program to its end; returns its status and its output.
@discardableResult
func run(
  _ program: String, _ arguments: [String], in folder: String? = nil
) throws -> (status: Int32, output: String) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}

/// Runs the checker that was built with the tests.
@discardableResult
func causeway(
  _ arguments: String..., in folder: String? = nil
) throws -> (status: Int32, output: String) {
  try run(Products.causeway, arguments, in: folder)
}

/// The products of the package.
enum Products {
  static let causeway: String = {
    // The tests run from a bundle or an executable in the folder of the products.
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("causeway").path
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder),
        !isFolder.boolValue
      {
        return candidate
      }
      folder = folder.deletingLastPathComponent()
    }
    return "causeway"
  }()

  /// The folder of the package's sources.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
}
