// swift-tools-version: 6.2
import PackageDescription

// Programs as other packages have them: one for each library, which imports this library alone.
// `make check` builds them, runs them, and looks at the system libraries that they link.
let libraries = [
  "Causeway", "CausewayCache", "CausewayCallbacks", "CausewayData",
  "CausewayDatabase", "CausewayDataTesting", "CausewayFoundation", "CausewayHTTP",
  "CausewayInspector", "CausewayNetwork", "CausewayPostgres", "CausewayRepository",
  "CausewaySession",
  "CausewaySignals", "CausewaySimulation", "CausewaySQLite", "CausewayStores", "CausewaySync",
  "CausewaySyncServer",
  "CausewayTesting", "CausewayTestingXCTest", "CausewayWeb", "CausewayWebSimulation",
  "CausewayWebTesting",
]

let package = Package(
  name: "clients",
  platforms: [.macOS("15.4")],
  dependencies: [.package(name: "causeway", path: "../..")],
  targets: libraries.map { library in
    .executableTarget(
      name: "\(library)Client", dependencies: [.product(name: library, package: "causeway")])
  }
)
