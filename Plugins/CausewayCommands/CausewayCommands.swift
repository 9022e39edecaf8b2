import Foundation
import PackagePlugin

/// `swift package causeway new-app NAME` and `swift package causeway check`.
@main
struct CausewayCommands: CommandPlugin {
  private static let usage = """
    Usage: swift package causeway COMMAND
      new-app NAME [IN]  writes the app of the tutorial, with its tests, to the folder NAME of this
                         package, or of the folder IN
      check [ARGUMENT…]  runs causeway check on this package; the first run builds the checker
    """

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let source = try CausewaySource(of: context.package)
    switch (arguments.first, arguments.dropFirst()) {
    case ("new-app", let rest) where (1...2).contains(rest.count):
      let app = try NewApp(name: rest[1])
      let parent = rest.count == 2 ? URL(filePath: rest[2]) : context.package.directoryURL
      try app.write(to: parent.appending(path: app.name), from: source)
      print(app.hint)
    case ("check", let rest):
      try check(context, source, Array(rest))
    default:
      Diagnostics.error(Self.usage)
    }
  }

  /// The checker is a package of its own, because it links the libraries of the toolchain.
  private func check(
    _ context: PluginContext, _ source: CausewaySource, _ arguments: [String]
  ) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.currentDirectoryURL = context.package.directoryURL
    process.arguments =
      [
        "swift", "run", "-c", "release",
        "--package-path", source.directory.appending(path: "Checker").path,
        "--scratch-path", context.pluginWorkDirectoryURL.appending(path: "checker").path,
        "causeway", "check",
      ] + arguments
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 {
      Diagnostics.error("causeway check ended with status \(process.terminationStatus)")
    }
  }
}
