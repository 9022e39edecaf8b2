import Foundation

/// Each library in a program that uses this library alone.
enum Clients {
  /// Whether each program works, and links no system library of another library.
  static func pass(_ strict: [String]) throws -> Bool {
    try SwiftPackages.build(strict)
    try SwiftPackages.build("Tests/Clients", strict)
    let programs = try SwiftPackages.programs(strict)
    let clients = try FileManager.default.contentsOfDirectory(atPath: "Tests/Clients/Sources")
      .sorted()
    let problems =
      try missing(in: clients, of: Manifest.read())
      + clients.flatMap { try self.problems(of: $0, "\(programs)/\($0)") }
    for problem in problems { say(problem) }
    return problems.isEmpty
  }

  /// The libraries that no program uses alone.
  static func missing(in clients: [String], of manifest: Manifest) -> [String] {
    manifest.libraries.map { "\($0)Client" }.filter { !clients.contains($0) }
      .map { "there is no \($0)" }
  }

  private static func problems(of client: String, _ program: String) throws -> [String] {
    var problems: [String] = []
    if try !Shell.run(["timeout", "60", program], output: .read).isSuccess {
      problems.append("\(client) fails")
    }
    #if os(macOS)
      let libraries = try Shell.output(["otool", "-L", program])
    #else
      let libraries = try Shell.output(["readelf", "-d", program])
    #endif
    let allowed = allowedLibraries(of: client)
    return problems
      + libraries.matches(of: /lib(sqlite3|pq|curl|microhttpd|gnutls)\./)
      .filter { !allowed.contains(String($0.1)) }.map { "\(client) links \($0.0)" }
  }

  private static func allowedLibraries(of client: String) -> [String] {
    let web = ["microhttpd", "gnutls"]
    let allowed = [
      "SQLite": ["sqlite3"], "DataTesting": ["sqlite3"], "Postgres": ["pq"], "HTTP": ["curl"],
      "SyncServer": web, "Inspector": web, "WebTesting": web, "WebClient": web,
      "Simulation": ["sqlite3", "curl"], "WebSimulation": ["sqlite3", "curl"] + web,
    ]
    return allowed.first { client.hasPrefix("Causeway\($0.key)") }?.value ?? []
  }
}
