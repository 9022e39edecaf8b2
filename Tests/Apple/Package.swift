// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Everything that Apple's systems compile, with declarations in place of Apple's modules. So a
// compiler on Linux also reads the code between `#if canImport(Darwin)` and the like. Nothing here is
// linked or run. This is a separate package: in the main package, `canImport` would find these
// modules in all targets.
let declarations = ["Darwin", "CommonCrypto", "CryptoKit", "Network", "Security", "SwiftUI", "os"]

/// The libraries of the main package, lowest first, as its manifest lists them.
func libraries() throws -> [String] {
  let path = "\(Context.packageDirectory)/../../Package.swift"
  let manifest = try String(contentsOfFile: path, encoding: .utf8)
  return manifest.matches(of: /\.target\(\s*name: "(Causeway\w*)"/).map { String($0.1) }
}

// Each module can import those before it. The C libraries that only Linux needs are missing.
let modules = try libraries().filter { $0 != "CausewayTestingXCTest" }
let systemLibraries = ["CSQLite": "sqlite3", "CPostgres": "libpq", "CMicroHTTPD": "libmicrohttpd"]
let harbor = ["Domain", "Features", "Mail", "Accounts", "Backend"]

/// The folders of C targets that contain the files of web pages.
let pages = [
  "CausewayWeb": (target: "CWebPage", folder: "PageScript"),
  "CausewayInspector": (target: "CInspectorPage", folder: "PageFiles"),
]

/// The path of a module, which is in one of the rooms of Sources.
func path(of module: String) -> String {
  let files = FileManager.default
  let sources = "\(Context.packageDirectory)/Sources"
  let rooms = (try? files.contentsOfDirectory(atPath: sources)) ?? []
  let room = rooms.first { files.fileExists(atPath: "\(sources)/\($0)/\(module)") }
  return "Sources/\(room ?? "")/\(module)"
}

var targets: [Target] = declarations.map { .target(name: $0, path: "Declarations/\($0)") }
var known = declarations.map { Target.Dependency.target(name: $0) }
for (name, library) in systemLibraries.sorted(by: { $0.key < $1.key }) {
  targets.append(.systemLibrary(name: name, path: path(of: name), pkgConfig: library))
  known.append(.target(name: name))
}
targets.append(.target(name: "CSimulatedSystem", path: path(of: "CSimulatedSystem")))
known.append(.target(name: "CSimulatedSystem"))
for module in modules {
  let page = pages[module]
  if let page {
    let path = "\(path(of: module))/\(page.folder)"
    let files = try? FileManager.default.contentsOfDirectory(
      atPath: "\(Context.packageDirectory)/\(path)")
    let others = (files ?? []).filter { $0 != "include" && !$0.hasSuffix(".c") }
    targets.append(.target(name: page.target, path: path, exclude: others))
    known.append(.target(name: page.target))
  }
  targets.append(
    .target(
      name: module, dependencies: known, path: path(of: module),
      exclude: page.map { [$0.folder] } ?? []))
  known.append(.target(name: module))
}
for part in harbor {
  targets.append(
    .target(name: "Harbor\(part)", dependencies: known, path: "Harbor/Sources/Harbor\(part)"))
  known.append(.target(name: "Harbor\(part)"))
}

let package = Package(
  name: "Apple", platforms: [.macOS("15.4")], targets: targets, swiftLanguageModes: [.v6])

// The same settings as in the main package.
for target in package.targets where target.type != .system && !declarations.contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]
}
