import Foundation
import PackagePlugin

/// `swift package causeway-check`: runs `causeway check` on the package or on some targets.
///
/// `--target` selects a target. All other arguments are passed to `causeway check`.
@main
struct CausewayCheck: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var extractor = ArgumentExtractor(arguments)
    let names = extractor.extractOption(named: "target")
    let targets = try context.package.targets(named: names)
    let paths = targets.isEmpty ? [context.package.directoryURL] : targets.map(\.directoryURL)
    let process = Process()
    process.executableURL = try context.tool(named: "causeway").url
    process.arguments = ["check"] + extractor.remainingArguments + paths.map(\.path)
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 {
      Diagnostics.error("causeway check ended with status \(process.terminationStatus)")
    }
  }
}
