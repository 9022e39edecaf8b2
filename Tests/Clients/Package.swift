// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Programs like those of other packages. Each program imports one library alone, and its folder is
// named after the library. `make check` builds the programs, runs them, and checks the system
// libraries that they link.
let sources = "\(Context.packageDirectory)/Sources"
let programs = (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []

let package = Package(
  name: "clients",
  platforms: [.macOS("15.4")],
  dependencies: [.package(name: "causeway", path: "../..")],
  targets: programs.filter { $0.hasSuffix("Client") }.sorted().map { program in
    .executableTarget(
      name: program,
      dependencies: [.product(name: String(program.dropLast(6)), package: "causeway")])
  }
)
