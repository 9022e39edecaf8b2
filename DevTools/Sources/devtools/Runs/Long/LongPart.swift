import Foundation

/// A long part of the checks.
struct LongPart: Sendable {
  let name: String
  /// The minutes that the part takes on two cores.
  let minutes: Int
  /// The files and folders whose changes make the part necessary.
  let paths: [String]
  /// Runs the part with the options of the strict build; returns whether it passed.
  let run: @Sendable ([String]) throws -> Bool

  init(
    _ name: String, minutes: Int, paths: String,
    run: @escaping @Sendable (_ strict: [String]) throws -> Bool
  ) {
    self.name = name
    self.minutes = minutes
    self.paths = paths.split { $0.isWhitespace }.map(String.init)
    self.run = run
  }

  /// All parts.
  ///
  /// A part with more minutes than a push has runs each night, or on demand.
  static let all = [
    LongPart(
      "clients", minutes: 2,
      paths: "Tests/Clients Package.swift DevTools/Sources/devtools/Runs/Long", run: Clients.pass),
    // The benchmarks use the modules that are built already, which have the same paths and options.
    LongPart(
      "benchmarks", minutes: 2, paths: "Benchmarks DevTools/Sources/devtools/Benchmarks"
    ) { try build("Benchmarks", $0) },
    // Only the fuzzer's driver can link its targets.
    LongPart("fuzz", minutes: 2, paths: "Fuzzing Examples/Harbor/Tests/HarborAttacks") {
      try build("Fuzzing", $0, "--target", "fuzz")
    },
    LongPart(
      "docs", minutes: 3, paths: "Documentation DevTools/Sources/devtools/Site README.md Sources"
    ) {
      try tool("docs", $0)
    },
    // Only this app uses some public types. Its index shows these uses.
    LongPart(
      "swiftui", minutes: 4,
      paths: """
        Examples/SwiftUI DevTools/public-users.list Package.swift
        Examples/Harbor/Sources/HarborDomain Examples/Harbor/Sources/HarborApp/Device
        Examples/Harbor/Sources/HarborApp/Page/NoServices.swift Examples/Meetings/Features
        Examples/Meetings/Data Sources/Runtime/Causeway/SwiftUI Sources/Runtime/Causeway/ViewModel
        Examples/Harbor/Sources/HarborFeatures
        """
    ) {
      let index = ".build/nested/Examples/SwiftUI/debug/index/store"
      let sources = ["Examples/SwiftUI/Sources/Board", "Examples/SwiftUI/Sources/Meetings"]
      try SwiftPackages.build($0)
      return try tool("symbol-graphs", [".build/graphs"] + $0) && nested("Examples/SwiftUI")
        && tool("public-users", ["confirm", "Examples/SwiftUI", index] + sources)
    },
    LongPart(
      "apple", minutes: 4,
      paths: """
        Tests/Apple Sources/Runtime/Causeway/SwiftUI Sources/Drivers/CausewayHTTP/Apple
        Sources/Floor/CausewaySystem Package.swift
        """
    ) { _ in try nested("Tests/Apple", "--disable-index-store") },
    LongPart(
      "api", minutes: 4,
      paths: """
        Sources Package.swift CHANGELOG.md DevTools/Sources/devtools/Declarations
        Benchmarks/marked-commit
        """
    ) { try tool("public-api", $0) },
    LongPart(
      "tutorial", minutes: 4,
      paths: """
        Documentation/Tutorial.md Examples/Pantry Plugins DevTools/Sources/devtools/Runs/Tutorial
        DevTools/public-users.list
        """
    ) { try tool("tutorial", $0) },
    LongPart(
      "faults", minutes: 4,
      paths: """
        Examples/Harbor/Tests/PlantedFaults DevTools/Sources/devtools/Runs/PlantedFaults.swift
        Sources/Tools/CausewayInspector Sources/Tools/CausewayRecording
        Examples/Harbor/Sources/HarborFeatures Examples/Harbor/Sources/HarborDomain
        """
    ) { try tool("planted-faults", $0) },
    LongPart(
      "databases", minutes: 4,
      paths: """
        Sources/Drivers/CausewayPostgres Tests/CausewayPostgresTests
        Examples/Harbor/Tests/HarborPostgresTests Tests/OutboxProbe Sources/Data/CausewaySync
        Examples/Harbor/Sources/HarborBackend
        """
    ) { try tests("programs", "databases", options: $0) },
    LongPart(
      "simulation", minutes: 5,
      paths: """
        Sources/Tools/CausewayExploration Sources/Tools/CausewaySimulation
        Sources/Floor/CausewayBasics/Surroundings Sources/Tools/CausewayWebSimulation
        Tests/CausewaySimulationTests Examples/Harbor/Tests/HarborSimulationTests
        Sources/Data/CausewaySync Sources/Data/CausewayStores Sources/Drivers/CausewaySQLite
        """
    ) { try tests("simulation", options: $0) },
    LongPart(
      "sizes", minutes: 5,
      paths: """
        Sources/Runtime/Causeway/Effects Sources/Tools/CausewayTesting Sources/Data/CausewayStores
        Tests/TestSupport
        """
    ) { try tests("runtime", "data", "rest", "alone", options: $0) },
    LongPart(
      "asan", minutes: 19,
      paths: """
        Tests/CIdleExit Sources/Drivers/CausewaySQLite Sources/Drivers/CausewayPostgres
        Sources/Drivers/CausewayHTTP Sources/Host/CausewayWeb/Server
        Sources/Runtime/Causeway/Observation Sources/Floor/CausewaySystem
        Sources/Floor/CausewayBasics/Files Scripts/suppressions/asan Scripts/suppressions/lsan
        """
    ) { _ in try Sanitizers.findNothing("asan") },
    LongPart(
      "browsers", minutes: 20,
      paths: """
        Sources/Host/CausewayWeb Sources/Tools/CausewayInspector/PageFiles
        Examples/Harbor/Sources/CHarborPage Examples/Harbor/Sources/HarborApp Tests/BrowserDriver
        Tests/CausewayWebBrowserTests Examples/Harbor/Tests/HarborBrowserTests
        """
    ) {
      let pictures = FileManager.default.currentDirectoryPath + "/.build/pictures"
      return try tests("browsers", options: $0, environment: ["PICTURES": pictures])
    },
    LongPart("tsan", minutes: 21, paths: "Sources Scripts/suppressions/tsan") { _ in
      try Sanitizers.findNothing("tsan")
    },
    // No push runs this part: it needs more time, and an idle machine.
    LongPart(
      "against", minutes: 60,
      paths: "Sources/Runtime Sources/Data Sources/Drivers/CausewaySQLite Benchmarks"
    ) { _ in try tool("bench-against", ["marked"]) },
    mutations(1), mutations(2), mutations(3), mutations(4),
  ]

  /// A quarter of the planted mistakes.
  private static func mutations(_ number: Int) -> LongPart {
    LongPart("mutations-\(number)", minutes: 150, paths: "DevTools/mutations") { _ in
      let names = try Mutate.all().enumerated().filter { ($0.offset + 1) % 4 == number % 4 }
      return try Shell.run(
        ["Scripts/devtools", "mutate"] + names.map(\.element),
        environment: ["MUTATE_SECONDS": "150"]
      ).isSuccess
    }
  }

  private static func tool(_ name: String, _ words: [String]) throws -> Bool {
    try Main.run([name] + words) == 0
  }

  /// Builds the libraries and then a nested package, which uses them.
  private static func build(
    _ package: String, _ strict: [String], _ options: String...
  ) throws -> Bool {
    try SwiftPackages.build(strict)
    try SwiftPackages.build(package, options + strict)
    return true
  }

  /// Builds a nested package in a folder of its own.
  ///
  /// The nested manifest reads the manifest of the root. The cache of manifests does not notice
  /// changes of the root's manifest.
  private static func nested(_ package: String, _ options: String...) throws -> Bool {
    let own = [
      "--scratch-path", ".build/nested/\(package)", "--manifest-cache", "none", "-Xswiftc",
      "-warnings-as-errors", "-debug-info-format", "none",
    ]
    try SwiftPackages.build(package, own + options)
    return true
  }

  private static func tests(
    _ groups: String..., options: [String], environment: [String: String] = [:]
  ) throws -> Bool {
    let selection = groups.flatMap { ["--group", $0] }
    return try Shell.run(
      ["Scripts/test", "--long"] + selection + options, environment: environment
    ).isSuccess
  }
}
