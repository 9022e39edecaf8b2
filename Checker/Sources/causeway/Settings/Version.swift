/// A version of a compiler or of a system; patches do not count.
struct Version: Comparable, Hashable, Sendable {
  let major: Int
  let minor: Int

  init(_ major: Int, _ minor: Int = 0) {
    self.major = major
    self.minor = minor
  }

  /// Reads `18`, `18.4` or `18.4.1`.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard let major = parts.first ?? nil else { return nil }
    self.init(major, parts.count > 1 ? parts[1] ?? 0 : 0)
  }

  static func < (left: Version, right: Version) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}

/// Apple's systems, which contain the runtime of Swift.
///
/// On other systems, the program contains the runtime.
enum AppleSystem: String, CaseIterable, Sendable {
  case macOS, iOS, tvOS, watchOS, visionOS
}

/// A part of the language that older compilers or systems do not have.
struct LanguageFeature: Sendable {
  let compiler: Version
  var systems: [AppleSystem: Version] = [:]

  /// `isolated deinit`, SE-0371.
  static let isolatedDeinit = LanguageFeature(
    compiler: Version(6, 2),
    systems: [
      .macOS: Version(15, 4), .iOS: Version(18, 4), .tvOS: Version(18, 4),
      .watchOS: Version(11, 4), .visionOS: Version(2, 4),
    ])
  /// Conformances of an actor, SE-0470.
  static let isolatedConformance = LanguageFeature(compiler: Version(6, 2))
  /// `@concurrent`, SE-0461.
  static let concurrent = LanguageFeature(compiler: Version(6, 2))
  /// `Mutex` of the module Synchronization, SE-0433.
  static let mutex = LanguageFeature(
    compiler: Version(6, 0),
    systems: [
      .macOS: Version(15), .iOS: Version(18), .tvOS: Version(18), .watchOS: Version(11),
      .visionOS: Version(2),
    ])
}
