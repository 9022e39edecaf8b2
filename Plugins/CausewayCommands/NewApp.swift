import Foundation

/// An app that begins as a copy of the tutorial's last step.
struct NewApp {
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// The name of the folder, the program and its target.
  let name: String
  /// The first word of the types.
  private let typeName: String

  init(name: String) throws {
    guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9]*/) != nil else {
      throw Problem(description: "The name of an app has letters and digits: \(name)")
    }
    guard !Self.reserved.contains(name.lowercased()), !name.lowercased().hasPrefix("causeway")
    else {
      throw Problem(
        description: "The name \(name) has another meaning in the app or in Swift. Choose another.")
    }
    self.name = name.prefix(1).lowercased() + name.dropFirst()
    typeName = name.prefix(1).uppercased() + name.dropFirst()
  }

  /// How to start the two halves of the app.
  var hint: String {
    """
    The app is in \(name). Start the server, and a device in another terminal:
      cd \(name) && swift run \(name) serve
      cd \(name) && swift run \(name)
    The device's page is at http://127.0.0.1:8080.
    """
  }

  /// Names of a type of the app, and words of Swift that cannot name a module.
  private static let reserved: Set = [
    "as", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "for", "foundation", "func", "guard", "if",
    "import", "in", "init", "inout", "internal", "is", "item", "itemmutation", "let", "nil",
    "operator", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static",
    "struct", "subscript", "super", "swift", "switch", "testing", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Writes the app to a new folder.
  func write(to folder: URL, from source: CausewaySource) throws {
    let files = FileManager.default
    guard !files.fileExists(atPath: folder.path) else {
      throw Problem(description: "\(folder.lastPathComponent) exists already.")
    }
    let template = source.directory.appending(path: "Examples/Pantry")
    guard let paths = files.enumerator(atPath: template.path) else {
      throw Problem(description: "\(template.path) cannot be read.")
    }
    for case let path as String in paths where path.hasSuffix(".swift") {
      guard !path.hasPrefix(".") else { continue }
      let text = try String(contentsOf: template.appending(path: path), encoding: .utf8)
      let target = folder.appending(path: renamed(path))
      try files.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      let dependency = ".package(name: \"causeway\", path: \"../..\")"
      // The dependency is inserted last, because its path can contain the old name too.
      try renamed(text).replacing(renamed(dependency), with: source.dependency)
        .write(to: target, atomically: true, encoding: .utf8)
    }
    try ".build\n*.sqlite*\n".write(
      to: folder.appending(path: ".gitignore"), atomically: true, encoding: .utf8)
  }

  private func renamed(_ text: String) -> String {
    text.replacing("Pantry", with: typeName).replacing("pantry", with: name)
      .replacing("PANTRY", with: name.uppercased())
  }
}
