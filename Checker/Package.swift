// swift-tools-version: 6.2
import Foundation
import PackageDescription

// SwiftSyntax comes from the toolchain. The parser thus supports exactly the language of the
// compiler, and nothing is downloaded. The toolchain is the one to which the first `swiftc` on the
// PATH belongs.
let toolchain: URL = {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  for directory in path.split(separator: ":") {
    let compiler = URL(fileURLWithPath: String(directory)).appendingPathComponent("swiftc")
    if FileManager.default.isExecutableFile(atPath: compiler.path) {
      return compiler.resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent()
    }
  }
  return URL(fileURLWithPath: "/usr")
}()
let host = toolchain.appendingPathComponent("lib/swift/host").path

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-I", host]),
]
let linking: [LinkerSetting] = [
  .unsafeFlags(["-L", host, "-Xlinker", "-rpath", "-Xlinker", host])
]

// The bundle of a release, if it lies beside this file. The plugin then uses its binary, and nothing is
// built.
let bundle = "causeway.artifactbundle"
let hasBinary = FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(bundle)")

let sources: [Target] = [
  // Declarations of the toolchain's libIndexStore, which `migrate` loads when it needs it.
  .target(name: "CIndexStore"),
  .executableTarget(
    name: "causeway", dependencies: ["CIndexStore"], swiftSettings: settings,
    linkerSettings: linking),
  .testTarget(
    name: "CheckerTests", dependencies: ["causeway"], exclude: ["Reports", "Sample"],
    swiftSettings: settings, linkerSettings: linking),
]

let package = Package(
  name: "Checker",
  platforms: [.macOS(.v15)],
  products: [.plugin(name: "CausewayCheck", targets: ["CausewayCheck"])]
    + (hasBinary ? [] : [.executable(name: "causeway", targets: ["causeway"])]),
  targets: [
    // The plugin declares no permission to write, so a check does not ask for this permission.
    .plugin(
      name: "CausewayCheck",
      capability: .command(
        intent: .custom(
          verb: "causeway-check",
          description: "Reports isolation problems that the compiler does not report.")),
      dependencies: ["causeway"])
  ] + (hasBinary ? [.binaryTarget(name: "causeway", path: bundle)] : sources)
)
