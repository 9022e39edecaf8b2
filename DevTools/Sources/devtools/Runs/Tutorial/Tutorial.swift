import Foundation

/// Follows Documentation/Tutorial.md in an empty folder.
struct Tutorial: Command {
  static let name = "tutorial"
  static let summary = "follows Documentation/Tutorial.md in an empty folder"
  static let help = """
    USAGE: Scripts/devtools tutorial [write] [OPTION OF `swift build`]...
    Follows Documentation/Tutorial.md in an empty folder: writes its files, runs its commands, and
    compares what they print. The folder must end as Examples/Pantry. `swift package causeway new-app`
    makes another app of it, whose tests must pass.

      write  stores the result as Examples/Pantry
    A Swift block is a file: the line above it is its path. Every line of a `text` block must be in
    the output of the commands above it, in this order. Commands whose output has "✘" must fail.
    Programs that listen run until the end of their step; their ports are chosen by the system.
    Exit status: 0 if the tutorial is correct.

    """

  private let root = FileManager.default.currentDirectoryPath
  private let options: [String]
  private let writes: Bool
  private let work: String
  private var pantry: PantryFolder
  private var step = "0"

  static func run(_ words: [String]) throws -> Int32 {
    try Interruption.withTemporaryFolder { work in
      let writes = words.first == "write"
      var tutorial = Tutorial(options: Array(words.dropFirst(writes ? 1 : 0)), writes, in: work)
      defer { tutorial.pantry.endServers() }
      do {
        return try tutorial.follow() ? 0 : 1
      } catch {
        say("Documentation/Tutorial.md, step \(tutorial.step): \(error)")
        return 1
      }
    }
  }

  private init(options: [String], _ writes: Bool, in work: String) {
    self.options = options
    self.writes = writes
    self.work = work
    pantry = PantryFolder(path: "\(work)/pantry", options: options)
  }

  private mutating func follow() throws -> Bool {
    try FileManager.default.createDirectory(
      atPath: pantry.path, withIntermediateDirectories: true)
    let text = try String(contentsOfFile: "Documentation/Tutorial.md", encoding: .utf8)
    for action in try TutorialPlan(text).actions {
      switch action {
      case .step(let number):
        try pantry.stopServers()
        step = "\(number)"
      case .file(let path, let text):
        let text = text.replacing("path: \"../causeway\"", with: "path: \"\(root)\"")
        try pantry.write(text, to: path)
      case .delete(let path): try FileManager.default.removeItem(atPath: "\(pantry.path)/\(path)")
      case .run(let commands, let output): try pantry.run(commands, expecting: output)
      }
    }
    try pantry.stopServers()
    guard step == "9" else { throw Failure("there are nine steps") }
    try confirmUsers()
    step = "new-app"
    try writeNewApp()
    try forgetBuild()
    if writes {
      try Shell.output(["rm", "-rf", "Examples/Pantry"])
      try Shell.output(["cp", "-R", pantry.path, "Examples/Pantry"])
    } else if try !areEqual(pantry.path, "Examples/Pantry") {
      say("Examples/Pantry is not the end of the tutorial: run Scripts/devtools tutorial write")
      return false
    }
    try PantryFolder(path: "\(work)/larder", options: options).test([])
    return true
  }

  /// Confirms the types whose only app is the app of the tutorial.
  ///
  /// The index has the paths of the files at the time of the build, so the libraries are built
  /// again.
  private func confirmUsers() throws {
    try require(["swift", "build"] + options, "the libraries cannot be built")
    let index = try SwiftPackages.programs(options) + "/index/store"
    guard try Main.run(["symbol-graphs", ".build/graphs"] + options) == 0 else {
      throw Failure("there are no graphs")
    }
    guard try Main.run(["public-users", "confirm", "Examples/Pantry", index, pantry.path]) == 0
    else { throw Failure("a type has no user") }
  }

  /// Makes an app with the plugin, and the same app with the script in a folder without a package.
  private func writeNewApp() throws {
    try require(
      ["swift", "package", "--package-path", pantry.path] + options
        + ["--allow-writing-to-package-directory", "causeway", "new-app", "larder"],
      "the command fails")
    try FileManager.default.moveItem(atPath: "\(pantry.path)/larder", toPath: "\(work)/larder")
    let empty = "\(work)/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let output = try require(
      ["\(root)/Scripts/new-app", "larder"], in: empty, "Scripts/new-app fails in an empty folder")
    guard output.contains("swift run larder serve") else {
      throw Failure("the hint does not name the server\n\(output)")
    }
    guard
      try areEqual(
        "\(work)/larder", "\(empty)/larder", except: ["Package.resolved", "Package.swift"])
    else {
      throw Failure("Scripts/new-app writes another app")
    }
  }

  private func forgetBuild() throws {
    let manifest = "\(pantry.path)/Package.swift"
    try String(contentsOfFile: manifest, encoding: .utf8)
      .replacing("path: \"\(root)\"", with: "path: \"../..\"")
      .write(toFile: manifest, atomically: true, encoding: .utf8)
    try Shell.output(["find", pantry.path, "-name", "*.sqlite*", "-delete"])
    for name in ["second", ".build", "Package.resolved"] {
      try Shell.output(["rm", "-rf", "\(pantry.path)/\(name)"])
    }
  }

  private func areEqual(
    _ folder: String, _ other: String, except names: [String] = []
  ) throws -> Bool {
    let excluded = ([".build"] + names).flatMap { ["--exclude", $0] }
    return try Shell.run(["diff", "-r"] + excluded + [folder, other]).isSuccess
  }
}

/// Runs a program whose success is needed; returns its output.
///
/// - Throws: `Failure` with the problem and the end of the output.
@discardableResult
func require(
  _ command: [String], in folder: String? = nil, _ problem: String
) throws -> String {
  let result = try Shell.run(command, output: .readWithErrors, in: folder)
  guard result.isSuccess else {
    throw Failure(([problem] + result.lines.suffix(40)).joined(separator: "\n"))
  }
  return result.output
}
