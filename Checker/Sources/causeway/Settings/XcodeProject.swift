import Foundation

/// The targets of an Xcode project and their compiler settings.
///
/// The build settings of a target override those of the project. The reader finds the target of a
/// file by its folder: a synchronized folder of the target, or a folder with the name of the target.
/// It does not read `.xcconfig` files and conditional settings such as `SWIFT_VERSION[sdk=…]`.
struct XcodeProject: Sendable {
  struct Target: Sendable {
    let name: String
    /// The folders, relative to the folder of the project.
    let folders: [String]
    let settings: BuildSettings
  }

  let targets: [Target]
  /// The settings of files whose target is unknown.
  ///
  /// They contain what is true for all targets. If the default isolation differs, it is unknown.
  let common: BuildSettings

  /// Reads a `project.pbxproj` file; nil if it is not the file of a project.
  init?(_ data: Data) {
    guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let root = list as? [String: Any], let objects = root["objects"] as? [String: [String: Any]],
      let project = (root["rootObject"] as? String).flatMap({ objects[$0] })
    else { return nil }
    func objectList(_ key: String, of object: [String: Any]) -> [[String: Any]] {
      (object[key] as? [String] ?? []).compactMap { objects[$0] }
    }
    func settings(of object: [String: Any]) -> [String: Any] {
      let list = (object["buildConfigurationList"] as? String).flatMap { objects[$0] } ?? [:]
      // The configurations of a target differ in optimization, not in language settings.
      let first = objectList("buildConfigurations", of: list).first
      return first?["buildSettings"] as? [String: Any] ?? [:]
    }
    var parents: [String: String] = [:]
    for (id, object) in objects {
      for child in object["children"] as? [String] ?? [] { parents[child] = id }
    }
    /// The folder of a group. Its path is relative to the groups around it.
    func path(ofGroup id: String) -> String {
      var parts: [String] = []
      var visited: Set<String> = []
      var current: String? = id
      while let id = current, visited.insert(id).inserted, let group = objects[id] {
        if let part = group["path"] as? String { parts.insert(part, at: 0) }
        current = group["sourceTree"] as? String == "SOURCE_ROOT" ? nil : parents[id]
      }
      return parts.joined(separator: "/")
    }
    let shared = settings(of: project)
    targets = objectList("targets", of: project).compactMap { target in
      guard let name = target["name"] as? String else { return nil }
      let folders = (target["fileSystemSynchronizedGroups"] as? [String] ?? [])
        .map(path(ofGroup:)).filter { !$0.isEmpty }
      return Target(
        name: name, folders: folders.isEmpty ? [name] : folders,
        settings: BuildSettings(xcode: shared.merging(settings(of: target)) { $1 }))
    }
    var common = targets.first?.settings ?? BuildSettings(xcode: shared)
    for settings in targets.dropFirst().map(\.settings) {
      common.languageMode = min(common.languageMode, settings.languageMode)
      common.upcomingFeatures.formIntersection(settings.upcomingFeatures)
      if settings.defaultIsolation != common.defaultIsolation {
        common.defaultIsolation = .unknown
      }
    }
    self.common = common
  }

  /// The target of a file, whose path is relative to the folder of the project.
  func target(of file: String) -> Target? {
    func length(_ target: Target) -> Int {
      target.folders.filter { file.hasPrefix($0 + "/") }.map(\.count).max() ?? 0
    }
    return targets.filter { length($0) > 0 }.max { length($0) < length($1) }
  }
}

extension BuildSettings {
  private static let approachableConcurrency: Set<String> = [
    "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability",
    "InferIsolatedConformances", "InferSendableFromCaptures", "NonisolatedNonsendingByDefault",
  ]

  /// Reads the build settings of Xcode.
  fileprivate init(xcode settings: [String: Any]) {
    self.init()
    let flags = settings["OTHER_SWIFT_FLAGS"]
    apply(
      arguments: flags as? [String]
        ?? (flags as? String ?? "").split(separator: " ").map(String.init))
    if let version = settings["SWIFT_VERSION"] as? String {
      apply(arguments: ["-swift-version", version])
    }
    if settings["SWIFT_DEFAULT_ACTOR_ISOLATION"] as? String == "MainActor" {
      defaultIsolation = .mainActor
    }
    if settings["SWIFT_APPROACHABLE_CONCURRENCY"] as? String == "YES" {
      upcomingFeatures.formUnion(BuildSettings.approachableConcurrency)
    }
    let prefix = "SWIFT_UPCOMING_FEATURE_"
    for (key, value) in settings where key.hasPrefix(prefix) && value as? String == "YES" {
      let words = key.dropFirst(prefix.count).split(separator: "_")
      upcomingFeatures.insert(words.map(\.capitalized).joined())
    }
  }
}
