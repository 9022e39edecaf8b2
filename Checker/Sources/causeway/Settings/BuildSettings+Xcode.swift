import Foundation

extension BuildSettings {
  private static let approachableConcurrency: Set<String> = [
    "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability",
    "InferIsolatedConformances", "InferSendableFromCaptures", "NonisolatedNonsendingByDefault",
  ]

  private static let deploymentTargets: [String: AppleSystem] = [
    "MACOSX_DEPLOYMENT_TARGET": .macOS, "IPHONEOS_DEPLOYMENT_TARGET": .iOS,
    "TVOS_DEPLOYMENT_TARGET": .tvOS, "WATCHOS_DEPLOYMENT_TARGET": .watchOS,
    "XROS_DEPLOYMENT_TARGET": .visionOS,
  ]

  private static let kits: [String: AppleSystem] = [
    "macosx": .macOS, "iphoneos": .iOS, "appletvos": .tvOS, "watchos": .watchOS,
    "xros": .visionOS,
  ]

  /// Reads the build settings of Xcode.
  ///
  /// - Parameter xcode: The version of Xcode that last changed the project, such as `1640`.
  init(_ settings: XcodeConfiguration, xcode: Int?) {
    self.init()
    apply(
      arguments: (settings["OTHER_SWIFT_FLAGS"] ?? "").split(separator: " ").map(String.init))
    if let version = settings["SWIFT_VERSION"] {
      apply(arguments: ["-swift-version", version])
    }
    let isolation = settings["SWIFT_DEFAULT_ACTOR_ISOLATION"]
    if isolation == "MainActor" { defaultIsolation = .mainActor }
    let isApproachable = settings["SWIFT_APPROACHABLE_CONCURRENCY"] == "YES"
    if isApproachable { upcomingFeatures.formUnion(BuildSettings.approachableConcurrency) }
    let prefix = "SWIFT_UPCOMING_FEATURE_"
    for key in settings.keys where key.hasPrefix(prefix) && settings[key] == "YES" {
      let words = key.dropFirst(prefix.count).split(separator: "_")
      upcomingFeatures.insert(words.map(\.capitalized).joined())
    }
    // These settings came with Xcode 26. A project keeps the number of an older Xcode until a
    // person accepts the recommendations of the newer Xcode.
    compiler =
      isolation != nil || isApproachable
      ? Version(6, 2) : xcode.flatMap(BuildSettings.compiler(ofXcode:))
    systems = BuildSettings.systems(settings)
  }

  private static func compiler(ofXcode number: Int) -> Version? {
    switch number {
    case 2600...: Version(6, 2)
    case 1630...: Version(6, 1)
    case 1600...: Version(6, 0)
    default: Version(5, 0)
    }
  }

  /// The systems that a target is built for; nil if they are unknown.
  ///
  /// Without a deployment target, Xcode builds for the newest system.
  private static func systems(_ settings: XcodeConfiguration) -> [AppleSystem: Version]? {
    let targets = deploymentTargets.compactMap { key, system in
      settings[key].flatMap { Version($0) }.map { (system, $0) }
    }
    let all = Dictionary(targets) { $1 }
    // A project often states the deployment targets of systems that a target is not built for.
    let stated = [settings["SUPPORTED_PLATFORMS"], settings["SDKROOT"]].compactMap { $0 }.first
    let built = Set((stated ?? "").split(separator: " ").compactMap { kits[String($0)] })
    let wanted = built.isEmpty ? all : all.filter { built.contains($0.key) }
    return wanted.isEmpty ? nil : wanted
  }
}
