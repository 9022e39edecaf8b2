import BrowserDriver
import Foundation

/// Starts the process that writes entries.
func startProbe(_ url: String, _ name: String) throws -> ChildProcess {
  let places =
    Bundle.allBundles.map { $0.bundleURL } + [Bundle.main.executableURL].compactMap { $0 }
  let candidates = places.flatMap { place in
    [place, place.deletingLastPathComponent()].map { $0.appending(path: "PostgresProbe") }
  }
  guard
    let executable = candidates.first(where: {
      FileManager.default.isExecutableFile(atPath: $0.path)
    })
  else { throw TestServer.Failure(description: "PostgresProbe was not built") }
  return try ChildProcess(executable, arguments: [url, name])
}
