// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "harbor",
  platforms: [.macOS("15.4")],
  products: [
    .executable(name: "harbor", targets: ["harbor"]),
    .library(name: "HarborAttacks", targets: ["HarborAttacks"]),
  ],
  dependencies: [.package(name: "causeway", path: "../..")],
  targets: [
    .target(name: "HarborDomain", dependencies: ["CausewayData"]),
    .target(
      name: "HarborFeatures",
      dependencies: ["Causeway", "CausewayData", "CausewayFoundation", "HarborDomain"]),
    // Mails over SMTP.
    .target(
      name: "HarborMail",
      dependencies: [
        "CausewayData", .target(name: "CMailCurl", condition: .when(platforms: [.linux])),
      ]),
    .systemLibrary(
      name: "CMailCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    // The accounts of the people who use the pages.
    .target(
      name: "HarborAccounts",
      dependencies: [
        "CausewayData", "CausewayWeb",
        .target(name: "CCrypt", condition: .when(platforms: [.linux])),
        .target(name: "CSpoof", condition: .when(platforms: [.linux])),
      ]),
    .systemLibrary(
      name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
    // Unicode's list of characters that look alike.
    .systemLibrary(
      name: "CSpoof", pkgConfig: "icu-i18n", providers: [.apt(["libicu-dev"]), .brew(["icu4c"])]),
    .target(
      name: "HarborBackend",
      dependencies: [
        "CausewayData", "CausewaySyncServer", "CausewayWeb", "HarborAccounts", "HarborDomain",
      ]),
    .target(
      name: "HarborApp",
      dependencies: [
        "Causeway", "CausewayData", "CausewayHTTP", "CausewayInspector", "CausewayPostgres",
        "CausewaySQLite", "CausewaySyncServer", "CausewayWeb", "CausewayWebTesting",
        "HarborAccounts", "HarborBackend", "HarborDomain", "HarborFeatures", "HarborMail",
        "CHarborPage",
      ]),
    // Its page.
    .target(
      name: "CHarborPage",
      exclude: [
        "board.css", "fields.html", "harbor.css", "harbor.js", "harbor.svg", "index.html",
        "layout.css", "palette.css", "places.css",
      ]),
    .executableTarget(name: "harbor", dependencies: ["HarborApp"]),

    // Tests.
    .testTarget(
      name: "HarborAccountsTests",
      dependencies: [
        "Causeway", "CausewayData", "CausewaySQLite", "CausewayWeb", "CausewayWebTesting",
        "HarborAccounts", "HarborMail", "TestSupport",
      ]),
    // Generated requests, for tests and for the fuzzer.
    .target(
      name: "HarborAttacks",
      dependencies: [
        "Causeway", "CausewayData", "CausewaySQLite", "CausewayWeb", "HarborBackend",
        "HarborDomain", "HarborFeatures",
      ],
      path: "Tests/HarborAttacks"),
    .testTarget(
      name: "HarborTests",
      dependencies: [
        "HarborAttacks", "Causeway", "CausewayData", "CausewayDatabase", "CausewayDataTesting",
        "CausewayExploration",
        "CausewayHTTP", "CausewaySQLite", "CausewaySyncServer",
        "CausewayTesting",
        "CausewayWeb", "CausewayWebTesting", "HarborAccounts", "HarborApp", "HarborBackend",
        "HarborDomain", "HarborFeatures", "HarborMail", "TestSupport",
      ]),
    // The tests of the backend again, on PostgreSQL, and several backends that share a database.
    .testTarget(
      name: "HarborPostgresTests",
      dependencies: [
        "BrowserDriver", "CausewayData", "CausewayDatabase", "CausewayDataTesting", "CausewayHTTP",
        "CausewayPostgres", "CausewaySQLite", "CausewaySyncServer", "CausewayWeb", "HarborAccounts",
        "HarborBackend",
        "HarborDomain", "HarborMail", "TestSupport", "harbor",
      ]),
    .testTarget(
      name: "HarborBrowserTests",
      dependencies: [
        "BrowserDriver", "Causeway", "CausewayData", "CausewayHTTP", "CausewaySQLite",
        "CausewayWeb", "HarborApp", "HarborBackend", "HarborDomain", "TestSupport", "harbor",
      ]),
    // The whole of Harbor, with its backend and several devices, under one seed.
    .testTarget(
      name: "HarborSimulationTests",
      dependencies: [
        "Causeway", "CausewayData", "CausewayExploration", "CausewayHTTP", "CausewaySQLite",
        "CausewaySimulation", "CausewayWeb", "CausewayWebSimulation", "HarborAccounts", "HarborApp",
        "HarborBackend", "HarborDomain", "HarborFeatures", "TestSupport",
      ]),
    // Random use of Harbor and of the data layer on real threads, as `make stress` runs it.
    .executableTarget(
      name: "StressProgram",
      dependencies: ["CausewayData", "CausewaySQLite", "TestSupport", "harbor"],
      path: "Tests/StressProgram"),
    // Measures the cost of an inspector for Harbor's board.
    .executableTarget(
      name: "InspectorCost",
      dependencies: ["Causeway", "CausewayInspector", "HarborDomain", "HarborFeatures"],
      path: "Tests/InspectorCost"),
  ],
  swiftLanguageModes: [.v6]
)

// `Scripts/devtools planted-faults` records mistakes in Harbor's features, and writes tests of the
// recordings.
if Context.environment["CAUSEWAY_PLANTED_FAULTS"] != nil {
  let faults: [Target.Dependency] = [
    "Causeway", "CausewayData", "CausewayInspector", "HarborDomain", "HarborFeatures",
  ]
  package.targets += [
    .target(name: "PlantedFaults", dependencies: faults, path: "Tests/PlantedFaults/Faults"),
    .executableTarget(
      name: "PlantedRecorder", dependencies: ["CausewayInspector", "PlantedFaults"],
      path: "Tests/PlantedFaults/Recorder"),
    .testTarget(
      name: "PlantedFaultTests", dependencies: faults + ["CausewayTesting", "PlantedFaults"],
      path: "Tests/PlantedFaults/Written"),
  ]
}

// Continuous integration omits suites that a sanitizer does not run, because their build is slow.
let omitted = (Context.environment["OMITTED_TESTS"] ?? "").split(separator: " ")
package.targets.removeAll { $0.type == .test && omitted.contains($0.name[...]) }

let own = Set(package.targets.map(\.name))
for target in package.targets where target.type != .system {
  target.dependencies = target.dependencies.map { dependency in
    guard case .byNameItem(let name, _) = dependency, !own.contains(name) else { return dependency }
    // The underscore says that this product is not part of the interface.
    let isShared = ["TestSupport", "BrowserDriver"].contains(name)
    return .product(name: isShared ? "_TestSupport" : name, package: "causeway")
  }
  target.swiftSettings = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]
}
