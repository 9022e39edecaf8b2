// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Harbor and Meetings as SwiftUI apps, and the views of the articles. The lower layers are links to
// the folders of the main package. Linux does not have Apple's modules. There, the views and the
// lower layers are compiled with the declarations in Sources/SwiftUI, CoreImage, PhotosUI and os.
// This package is separate because targets with those names would also change the other targets of
// the main package.
#if canImport(Darwin)
  let declarations: [String] = []
#else
  let declarations = ["SwiftUI", "CoreImage", "PhotosUI", "os"]
#endif

/// The libraries of the main package, lowest first, as its manifest lists them.
func libraries() throws -> [String] {
  let path = "\(Context.packageDirectory)/../../Package.swift"
  let manifest = try String(contentsOfFile: path, encoding: .utf8)
  return manifest.matches(of: /\.target\(\s*name: "(Causeway\w*)"/).map { String($0.1) }
}

// Each module can import those before it; the manifest of the main package is exact. The links in
// Sources are the modules that the apps use.
let linked = try FileManager.default.contentsOfDirectory(
  atPath: "\(Context.packageDirectory)/Sources")
let modules = try libraries().filter(linked.contains) + ["HarborDomain", "HarborFeatures"]

var targets: [Target] = []
for module in declarations {
  targets.append(
    .target(name: module, dependencies: targets.map { .target(name: $0.name) }))
}
targets.append(.systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"))
#if !canImport(Darwin)
  targets.append(.systemLibrary(name: "CCurl", pkgConfig: "libcurl"))
  targets.append(.systemLibrary(name: "CZlib", pkgConfig: "zlib"))
#endif
for module in modules {
  targets.append(
    .target(name: module, dependencies: targets.map { .target(name: $0.name) }))
}
let known = targets.map { Target.Dependency.target(name: $0.name) }
targets.append(.target(name: "Articles", dependencies: known))
targets.append(.executableTarget(name: "Board", dependencies: known))
targets.append(.executableTarget(name: "Meetings", dependencies: known))

let package = Package(
  name: "Board",
  platforms: [.macOS("15.4"), .iOS("18.4")],
  targets: targets,
  swiftLanguageModes: [.v6]
)

// The same settings as in the main package.
for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]
}
