import Foundation
import PackagePlugin

/// The copy of Causeway that a package uses.
struct CausewaySource {
  struct Missing: Error, CustomStringConvertible {
    var description: String { "This package has no dependency on causeway." }
  }

  let directory: URL
  /// How the manifest of another package names this copy.
  let dependency: String

  init(of package: Package) throws {
    let packages = [package] + package.dependencies.map(\.package)
    guard let causeway = packages.first(where: { $0.displayName == "causeway" }) else {
      throw Missing()
    }
    directory = causeway.directoryURL
    switch causeway.origin {
    case .repository(let url, let version, let revision):
      let requirement =
        version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) == nil
        ? "revision: \"\(revision)\"" : ".upToNextMinor(from: \"\(version)\")"
      dependency = ".package(url: \"\(url)\", \(requirement))"
    default:
      dependency = ".package(name: \"causeway\", path: \"\(directory.path)\")"
    }
  }
}
