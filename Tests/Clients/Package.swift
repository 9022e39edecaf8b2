// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Programs as other packages have them: one for each library, which imports this library alone.
// `make check` builds them, runs them, and looks at the system libraries that they link. The folder of
// a program is named after its library.
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
