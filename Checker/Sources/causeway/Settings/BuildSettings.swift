/// The compiler settings that decide which rules apply and how isolation is inferred.
struct BuildSettings: Equatable, Sendable {
  enum DefaultIsolation: Sendable {
    case nonisolated, mainActor
    /// Either of the others. Declarations whose isolation depends on it have an unknown isolation.
    case unknown
  }

  /// The language mode: 5 or 6.
  var languageMode = 6
  var defaultIsolation = DefaultIsolation.nonisolated
  var upcomingFeatures: Set<String> = []

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

  func has(_ feature: String) -> Bool { upcomingFeatures.contains(feature) }

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
