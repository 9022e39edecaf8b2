/// The compiler settings that decide which rules apply and how isolation is inferred.
struct BuildSettings: Equatable, Sendable {
  enum DefaultIsolation: Sendable {
    case nonisolated, mainActor
    /// One of the other two cases. Declarations whose isolation depends on it have an unknown
    /// isolation.
    case unknown
  }

  /// The language mode: 5 or 6; nil if it is unknown.
  var languageMode: Int?
  var defaultIsolation = DefaultIsolation.nonisolated
  var upcomingFeatures: Set<String> = []
  /// The oldest compiler that has to compile the module; nil if it is unknown.
  var compiler: Version?
  /// The oldest systems on which the module has to run; nil if they are unknown.
  var systems: [AppleSystem: Version]?

  /// The upcoming features of Swift 6.3, as `swiftc -print-supported-features` prints them.
  static let knownFeatures: Set<String> = [
    "BareSlashRegexLiterals", "ConciseMagicFile", "DeprecateApplicationMain",
    "DisableOutwardActorInference", "DynamicActorIsolation", "ExistentialAny",
    "ForwardTrailingClosures", "GlobalActorIsolatedTypesUsability", "GlobalConcurrency",
    "ImmutableWeakCaptures", "ImplicitOpenExistentials", "ImportObjcForwardDeclarations",
    "InferIsolatedConformances", "InferSendableFromCaptures", "InternalImportsByDefault",
    "IsolatedDefaultValues", "MemberImportVisibility", "NonfrozenEnumExhaustivity",
    "NonisolatedNonsendingByDefault", "RegionBasedIsolation", "StrictConcurrency",
  ]

  /// All settings, in the same order in each process.
  var stableText: String {
    let features = upcomingFeatures.sorted().joined(separator: ",")
    let systems = systems.map { $0.map { "\($0.key) \($0.value)" }.sorted() } ?? ["unknown"]
    return "\(languageMode ?? 0) \(defaultIsolation) \(features) \(compiler.map { "\($0)" } ?? "") "
      + systems.joined(separator: ",")
  }

  func has(_ feature: String) -> Bool { upcomingFeatures.contains(feature) }

  /// Whether the module is known to be compiled in Swift 6 mode.
  var isSwift6: Bool { languageMode.map { $0 >= 6 } ?? false }

  /// Whether each compiler and system of the module is known to have a feature.
  func allows(_ feature: LanguageFeature) -> Bool {
    guard let compiler, compiler >= feature.compiler else { return false }
    if feature.systems.isEmpty { return true }
    guard let systems else { return false }
    return systems.allSatisfy { system, version in
      feature.systems[system].map { version >= $0 } ?? true
    }
  }

  /// The values that these settings and other settings have in common.
  func combined(with other: BuildSettings) -> BuildSettings {
    var both = self
    both.languageMode = languageMode.flatMap { mode in other.languageMode.map { min(mode, $0) } }
    both.upcomingFeatures.formIntersection(other.upcomingFeatures)
    if other.defaultIsolation != defaultIsolation { both.defaultIsolation = .unknown }
    both.compiler = compiler.flatMap { version in other.compiler.map { min(version, $0) } }
    both.systems = systems.flatMap { mine in
      other.systems.map { mine.merging($0, uniquingKeysWith: min) }
    }
    return both
  }

  /// Applies compiler arguments.
  mutating func apply(arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "-default-isolation", "--default-isolation":
        if let value = rest.popFirst() {
          defaultIsolation = value == "MainActor" ? .mainActor : .nonisolated
        }
      case "-enable-upcoming-feature", "--upcoming-feature":
        if let value = rest.popFirst() { upcomingFeatures.insert(value) }
      case "-swift-version", "--swift-version":
        if let value = rest.popFirst(), let mode = Int(value.prefix { $0 != "." }) {
          languageMode = mode
        }
      default: break
      }
    }
  }
}
