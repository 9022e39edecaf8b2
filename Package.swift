// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "causeway",
  // These systems have the runtime function of `isolated deinit`.
  platforms: [
    .macOS("15.4"), .iOS("18.4"), .tvOS("18.4"), .watchOS("11.4"), .visionOS("2.4"),
  ],
  products: [
    .library(name: "Causeway", targets: ["Causeway"]),
    .library(name: "CausewayBasics", targets: ["CausewayBasics"]),
    .library(name: "CausewayFoundation", targets: ["CausewayFoundation"]),
    .library(name: "CausewayTesting", targets: ["CausewayTesting"]),
    .library(name: "CausewayTestingXCTest", targets: ["CausewayTestingXCTest"]),
    .library(name: "CausewayDatabase", targets: ["CausewayDatabase"]),
    .library(name: "CausewayNetwork", targets: ["CausewayNetwork"]),
    .library(name: "CausewayStores", targets: ["CausewayStores"]),
    .library(name: "CausewaySync", targets: ["CausewaySync"]),
    .library(name: "CausewayData", targets: ["CausewayData"]),
    .library(name: "CausewayDataTesting", targets: ["CausewayDataTesting"]),
    .library(name: "CausewaySQLite", targets: ["CausewaySQLite"]),
    .library(name: "CausewayPostgres", targets: ["CausewayPostgres"]),
    .library(name: "CausewayHTTP", targets: ["CausewayHTTP"]),
    .library(name: "CausewayExploration", targets: ["CausewayExploration"]),
    .library(name: "CausewaySimulation", targets: ["CausewaySimulation"]),
    .library(name: "CausewayWeb", targets: ["CausewayWeb"]),
    .library(name: "CausewaySyncServer", targets: ["CausewaySyncServer"]),
    .library(name: "CausewayWebTesting", targets: ["CausewayWebTesting"]),
    .library(name: "CausewayWebSimulation", targets: ["CausewayWebSimulation"]),
    .library(name: "CausewayInspector", targets: ["CausewayInspector"]),
    // What the tests of Harbor, a package of its own, share with those here. No part of the interface.
    .library(name: "_TestSupport", targets: ["TestSupport", "BrowserDriver"]),
    .executable(name: "causeway-recording", targets: ["CausewayRecording"]),
    .plugin(name: "CausewayCommands", targets: ["CausewayCommands"]),
  ],
  targets: [
    // The C library of the platform, what all modules need to print problems, and what both searches
    // for races share.
    .target(name: "CausewaySystem"),
    // What the rooms above share: streams with many consumers; the session of an account; bridges
    // from callbacks; files; failures of servers and when to repeat a request; the end of a program;
    // what the data layer tells an observer; and what a simulation replaces, such as dates.
    .target(name: "CausewayBasics", dependencies: ["CausewaySystem"]),

    // The runtime.
    .target(name: "Causeway", dependencies: ["CausewaySystem"]),

    // Dates, calendars, identifiers and random numbers as provided values.
    .target(
      name: "CausewayFoundation",
      dependencies: ["Causeway", "CausewayBasics", "CausewaySystem"]),

    // The test kit, and where its failures go in XCTest.
    .target(name: "CausewayTesting", dependencies: ["Causeway", "CausewaySystem"]),
    .target(name: "CausewayTestingXCTest", dependencies: ["CausewayTesting"]),

    // The parts of the data layer. An app imports the ones that it uses.
    .target(name: "CausewayDatabase", dependencies: ["CausewayBasics", "CausewaySystem"]),
    .target(name: "CausewayNetwork", dependencies: ["CausewayBasics"]),
    .target(
      name: "CausewayStores",
      dependencies: ["CausewayBasics", "CausewayDatabase", "CausewaySystem"]),
    .target(
      name: "CausewaySync",
      dependencies: ["CausewayBasics", "CausewayDatabase", "CausewayNetwork", "CausewaySystem"]),

    // All of these parts under one name, with the readers and writers that join them; what their
    // drivers must do; and the drivers.
    .target(
      name: "CausewayData",
      dependencies: [
        "CausewayBasics", "CausewayDatabase", "CausewayNetwork", "CausewayStores", "CausewaySync",
      ]),
    .target(
      name: "CausewayDataTesting", dependencies: ["CausewayData", "CausewayTesting"]),
    .target(
      name: "CausewaySQLite",
      dependencies: [
        "CausewayBasics", "CausewayDatabase", "CausewaySystem", "CSQLite",
        .target(name: "CICU", condition: .when(platforms: [.linux])),
      ]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(
      name: "CausewayPostgres",
      dependencies: ["CausewayBasics", "CausewayDatabase", "CausewaySystem", "CPostgres"]),
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "CausewayHTTP",
      dependencies: [
        "CausewayBasics", "CausewayNetwork", "CausewaySystem",
        .target(name: "CCurl", condition: .when(platforms: [.linux])),
        .target(name: "CZlib", condition: .when(platforms: [.linux])),
      ]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // The orders of the steps of any code, and the executors that run them.
    .target(name: "CausewayExploration", dependencies: ["CausewaySystem", "CSimulatedSystem"]),
    // Whole worlds of nodes, under one seed.
    .target(
      name: "CausewaySimulation",
      dependencies: [
        "CausewayBasics", "CausewayDatabase", "CausewayExploration", "CausewayHTTP",
        "CausewayNetwork", "CausewaySQLite", "CausewayStores", "CausewaySync", "CausewaySystem",
        "CSQLite", "CSimulatedSystem",
      ]),
    // The clocks and the random numbers of the system, on the threads of simulations.
    .target(name: "CSimulatedSystem"),

    // The browser host.
    .target(
      name: "CausewayWeb",
      dependencies: [
        "Causeway", "CausewayBasics", "CausewaySystem", "CMicroHTTPD", "CWebPage",
        .target(name: "CGnuTLS", condition: .when(platforms: [.linux])),
        .target(name: "CZlib", condition: .when(platforms: [.linux])),
      ],
      exclude: ["PageScript"]),
    // The scripts of a page.
    .target(
      name: "CWebPage", path: "Sources/Host/CausewayWeb/PageScript",
      exclude: [
        "actions.js", "address.js", "bindings.js", "connection.js", "controls.js", "drafts.js",
        "events.js", "focus.js", "keeping.js", "kept.js", "page.js", "patch.js", "paths.js",
        "places.js", "queue.js", "reload.js", "removal.js", "rows.js", "service.js", "status.js",
        "storage.js", "tab.js", "upload.js", "worker.js",
      ]),
    // The server's half of synchronising.
    .target(
      name: "CausewaySyncServer",
      dependencies: ["CausewayDatabase", "CausewayWeb"]),
    .target(name: "CausewayWebTesting", dependencies: ["CausewayWeb"]),
    .target(
      name: "CausewayWebSimulation",
      dependencies: ["CausewayNetwork", "CausewaySimulation", "CausewayWeb"]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    // On Linux, libmicrohttpd itself depends on this library.
    .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    // Unicode's order of texts.
    .systemLibrary(
      name: "CICU", pkgConfig: "icu-i18n", providers: [.apt(["libicu-dev"]), .brew(["icu4c"])]),

    // The inspector: a record of what view models do, and a page that shows it.
    .target(
      name: "CausewayInspector",
      dependencies: [
        "Causeway", "CausewayBasics", "CausewayNetwork", "CausewaySystem", "CausewayWeb",
        "CInspectorPage",
      ],
      exclude: ["PageFiles"]),
    // Its page.
    .target(
      name: "CInspectorPage", path: "Sources/Tools/CausewayInspector/PageFiles",
      exclude: [
        "inspector.css", "inspector.html", "inspector.js", "timeline.css",
      ]),
    .executableTarget(
      name: "CausewayRecording", dependencies: ["CausewayBasics", "CausewayInspector"]),

    // Meetings, the second example app. It imports products only, like an app of another package.
    .executableTarget(
      name: "meetings",
      dependencies: [
        "Causeway", "CausewayData", "CausewayFoundation", "CausewayHTTP", "CausewaySQLite",
        "CausewayWeb", "CausewayWebTesting",
      ],
      path: "Examples/Meetings", exclude: ["README.md"], packageAccess: false),

    // `swift package causeway`: writes a new app, and runs the checker.
    .plugin(
      name: "CausewayCommands",
      capability: .command(
        intent: .custom(verb: "causeway", description: "Writes a new app, or checks this package."),
        permissions: [.writeToPackageDirectory(reason: "new-app writes the files of the app.")])),

    // Tests.
    .target(name: "TestSupport", dependencies: ["CIdleExit"], path: "Tests/TestSupport"),
    // Waits at the exit of a program for the tasks that are ending, before AddressSanitizer looks for
    // leaks.
    .target(name: "CIdleExit", path: "Tests/CIdleExit"),
    .executableTarget(name: "StackProbe", dependencies: ["Causeway"], path: "Tests/StackProbe"),
    .testTarget(name: "CausewaySystemTests", dependencies: ["CausewaySystem"]),
    .testTarget(name: "CausewayBasicsTests", dependencies: ["CausewayBasics", "TestSupport"]),
    .testTarget(name: "CausewayTests", dependencies: ["Causeway", "TestSupport", "StackProbe"]),
    // The same sources as a client whose declarations belong to the main actor by default.
    .testTarget(
      name: "CausewayMainActorTests", dependencies: ["Causeway", "TestSupport", "StackProbe"],
      swiftSettings: [.defaultIsolation(MainActor.self), .define("REPEATED")]),
    // The invariants for a client without the upcoming features: its nonisolated async functions
    // leave the caller's actor.
    .testTarget(
      name: "CausewayNonisolatedTests", dependencies: ["Causeway", "TestSupport", "StackProbe"],
      swiftSettings: [.define("REPEATED")]),
    .testTarget(
      name: "CausewayTestingTests",
      dependencies: [
        "Causeway", "CausewayFoundation", "CausewaySystem", "CausewayTesting", "TestSupport",
      ]),
    .testTarget(
      name: "CausewayTestingXCTestTests",
      dependencies: ["Causeway", "CausewayTesting", "CausewayTestingXCTest"]),
    .executableTarget(
      name: "OutboxProbe", dependencies: ["CausewayData", "CausewaySQLite", "CIdleExit"],
      path: "Tests/OutboxProbe"),
    .testTarget(
      name: "CausewayDataTests",
      dependencies: [
        "Causeway", "CausewayBasics", "CausewayData", "CausewayDatabase", "CausewayDataTesting",
        "CausewayNetwork", "CausewaySQLite", "CausewayStores", "CausewaySync", "CausewaySystem",
        "CausewayTesting", "OutboxProbe", "TestSupport",
      ]),
    .testTarget(
      name: "CausewayHTTPTests",
      dependencies: [
        "CausewayData", "CausewayDataTesting", "CausewayHTTP", "CausewaySQLite", "CausewayTesting",
        "TestSupport",
        .target(name: "CZlib", condition: .when(platforms: [.linux])),
      ]),
    .testTarget(
      name: "CausewayExplorationTests",
      dependencies: ["CausewayExploration", "CausewaySystem", "CSimulatedSystem"]),
    .testTarget(
      name: "CausewaySimulationTests",
      dependencies: [
        "Causeway", "CausewayData", "CausewayExploration", "CausewayHTTP", "CausewaySQLite",
        "CausewaySimulation", "CausewayWeb", "CausewayWebSimulation", "TestSupport",
      ]),
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
    .executableTarget(
      name: "StoreProbe", dependencies: ["CausewayData", "CausewaySQLite", "CIdleExit"],
      path: "Tests/StoreProbe"),
    .testTarget(
      name: "CausewaySQLiteTests",
      dependencies: [
        "BrowserDriver", "Causeway", "CausewayData", "CausewayDataTesting", "CausewaySQLite",
        "CausewayTesting", "CFaultVFS", "CSQLite", "StoreProbe", "TestSupport",
      ]),
    .executableTarget(
      name: "PostgresProbe", dependencies: ["CausewayData", "CausewayPostgres", "CIdleExit"],
      path: "Tests/PostgresProbe"),
    .testTarget(
      name: "CausewayPostgresTests",
      dependencies: [
        "BrowserDriver", "CausewayData", "CausewayDataTesting", "CausewayPostgres",
        "CausewayTesting", "PostgresProbe", "TestSupport",
      ]),
    // A library of the time before Sendable, as articles show it.
    .target(
      name: "LegacyPositions", path: "Tests/LegacyPositions",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Causeway", "CausewayData", "CausewayHTTP", "CausewaySQLite", "CausewayTesting",
        "CausewayWeb", "LegacyPositions", "TestSupport",
      ]),
    .testTarget(
      name: "CausewayWebTests",
      dependencies: [
        "Causeway", "CausewayBasics", "CausewaySystem", "CausewayWeb", "CausewayWebTesting",
        "TestSupport",
      ]),
    .executableTarget(
      name: "InspectorProbe", dependencies: ["Causeway", "CausewayInspector"],
      path: "Tests/InspectorProbe"),
    .testTarget(
      name: "CausewayInspectorTests",
      dependencies: [
        "BrowserDriver", "Causeway", "CausewayBasics", "CausewayData", "CausewayHTTP",
        "CausewayInspector", "CausewaySQLite", "CausewaySystem", "CausewayTesting", "CausewayWeb",
        "CausewayWebTesting", "InspectorProbe", "TestSupport",
      ]),
    .target(
      name: "BrowserDriver", dependencies: ["CausewayBasics", "TestSupport"],
      path: "Tests/BrowserDriver"),
    .testTarget(
      name: "CausewayWebBrowserTests",
      dependencies: ["BrowserDriver", "Causeway", "CausewayWeb", "TestSupport"]),
    .testTarget(
      name: "MeetingsTests",
      dependencies: [
        "Causeway", "CausewayFoundation", "CausewayHTTP", "CausewaySQLite", "CausewayTesting",
        "CausewayWeb", "CausewayWebTesting", "meetings",
      ], packageAccess: false),
  ],
  swiftLanguageModes: [.v6]
)

// The rooms of Sources, lowest first, and the folders in them. A new module is added to one.
let rooms: KeyValuePairs = [
  "Floor": [
    "CausewaySystem", "CausewayBasics",
  ],
  "Runtime": [
    "Causeway", "CausewayFoundation",
  ],
  "Data": [
    "CausewayDatabase", "CausewayNetwork", "CausewayStores", "CausewaySync", "CausewayData",
  ],
  "Drivers": [
    "CausewaySQLite", "CausewayPostgres", "CausewayHTTP", "CSQLite", "CPostgres", "CCurl", "CZlib",
    "CICU",
  ],
  "Host": [
    "CausewayWeb", "CausewaySyncServer", "CMicroHTTPD", "CGnuTLS",
  ],
  "Tools": [
    "CausewayTesting", "CausewayTestingXCTest", "CausewayDataTesting", "CausewayWebTesting",
    "CausewayExploration", "CausewaySimulation", "CausewayWebSimulation", "CausewayInspector",
    "CausewayRecording", "CSimulatedSystem",
  ],
]
for target in package.targets where target.path == nil {
  let room = rooms.first { $0.value.contains(target.name) }
  target.path = room.map { "Sources/\($0.key)/\(target.name)" }
}

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

// Continuous integration omits suites that a sanitizer does not run, because their build is slow.
let omitted = (Context.environment["OMITTED_TESTS"] ?? "").split(separator: " ")
package.targets.removeAll { $0.type == .test && omitted.contains($0.name[...]) }

for target in package.targets
where ![.system, .plugin].contains(target.type) && target.name != "CausewayNonisolatedTests" {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
