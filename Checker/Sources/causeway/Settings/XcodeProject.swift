import Foundation

/// The targets of an Xcode project and their compiler settings.
///
/// The build settings of a target override those of the project, and both override those of their
/// `.xcconfig` files. If configurations differ, only their common values are known.
struct XcodeProject: Sendable {
  struct Target: Sendable {
    let name: String
    let settings: BuildSettings
    /// The files that the target names, relative to the folder of the project.
    fileprivate var files: Set<String> = []
    fileprivate var folders: [Folder] = []

    /// Whether a file, whose path is relative to the folder of the project, is compiled.
    func compiles(_ file: String) -> Bool {
      files.contains(file) || folders.contains { $0.contains(file) }
    }

    /// Whether the target names a file itself, not only a folder around it.
    func names(_ file: String) -> Bool { files.contains(file) }
  }

  /// A folder whose files belong to a target.
  fileprivate struct Folder: Sendable {
    let path: String
    var exceptions: Set<String> = []

    func contains(_ file: String) -> Bool {
      guard file.hasPrefix(path + "/") else { return false }
      let rest = file.dropFirst(path.count + 1)
      return !exceptions.contains { rest == $0 || rest.hasPrefix($0 + "/") }
    }
  }

  let targets: [Target]
  /// The settings of files whose target is unknown: the values that all targets have in common.
  let common: BuildSettings

  /// Reads a `project.pbxproj` file; nil if it is not the file of a project.
  ///
  /// - Parameters:
  ///   - data: The content.
  ///   - read: Returns the text of a file, whose path is relative to the folder of the project.
  init?(_ data: Data, read: @escaping (String) -> String? = { _ in nil }) {
    guard let objects = XcodeObjects(data) else { return nil }
    let reader = SettingsReader(objects: objects, read: read)
    let membership = Membership(objects)
    targets = objects.list("targets", of: objects.project).compactMap { id, object -> Target? in
      guard let name = object["name"] as? String else { return nil }
      var target = Target(name: name, settings: reader.settings(of: object))
      target.files = membership.files(of: id, object)
      target.folders = membership.folders(of: id, object)
      // Generators of projects and old templates give each target a folder with its name.
      if target.files.isEmpty, target.folders.isEmpty { target.folders = [Folder(path: name)] }
      return target
    }
    common =
      targets.dropFirst().reduce(targets.first?.settings ?? reader.settings(of: nil)) {
        $0.combined(with: $1.settings)
      }
  }

  /// The targets that compile a file, whose path is relative to the folder of the project.
  func targets(of file: String) -> [Target] { targets.filter { $0.compiles(file) } }
}

/// Reads the build settings of targets.
private struct SettingsReader {
  let objects: XcodeObjects
  let read: (String) -> String?

  /// The settings of a target, or of the project.
  func settings(of target: XcodeObjects.Object?) -> BuildSettings {
    let version = (objects.project["attributes"] as? XcodeObjects.Object).map { attributes in
      ["LastUpgradeCheck", "LastSwiftUpdateCheck"]
        .compactMap { (attributes[$0] as? String).flatMap { Int($0) } }.max()
    }
    let shared = configurations(of: objects.project)
    let own = target.map { configurations(of: $0) } ?? []
    let names = (own.isEmpty ? shared : own).map(\.name)
    let all = (names.isEmpty ? [""] : names).map { name in
      var settings = XcodeConfiguration()
      for list in [shared, own] {
        guard let configuration = list.first(where: { $0.name == name }) ?? list.first else {
          continue
        }
        settings.add(file(of: configuration.object))
        settings.add(configuration.object["buildSettings"] as? XcodeObjects.Object ?? [:])
      }
      return BuildSettings(settings, xcode: version ?? nil)
    }
    return all.dropFirst().reduce(all[0]) { $0.combined(with: $1) }
  }

  private func configurations(
    of object: XcodeObjects.Object
  ) -> [(name: String, object: XcodeObjects.Object)] {
    let list = objects.object("buildConfigurationList", of: object) ?? [:]
    return objects.list("buildConfigurations", of: list).map {
      ($0.object["name"] as? String ?? "", $0.object)
    }
  }

  /// The settings of the `.xcconfig` file of a configuration.
  private func file(of configuration: XcodeObjects.Object) -> [String: String] {
    var path = (configuration["baseConfigurationReference"] as? String).flatMap {
      objects.path(of: $0)
    }
    if let anchor = configuration["baseConfigurationReferenceAnchor"] as? String,
      let name = configuration["baseConfigurationReferenceRelativePath"] as? String
    {
      path = objects.path(of: anchor).map { $0 + "/" + name }
    }
    return path.map { XcodeConfigurationFile($0, read: read).settings } ?? [:]
  }
}

/// Finds the files of targets.
private struct Membership {
  let objects: XcodeObjects
  /// The exceptions in synchronized folders, by target: files that belong to the target, unlike
  /// their folder, and files that do not belong to it, unlike their folder.
  private var exceptions: [String: [(group: String, files: [String])]] = [:]

  init(_ objects: XcodeObjects) {
    self.objects = objects
    for (id, group) in objects.all("PBXFileSystemSynchronizedRootGroup") {
      for (_, set) in objects.list("exceptions", of: group) {
        guard let target = set["target"] as? String,
          let files = set["membershipExceptions"] as? [String]
        else { continue }
        exceptions[target, default: []].append((id, files))
      }
    }
  }

  /// The files that a target's phases name, and its files in folders of other targets.
  func files(of id: String, _ target: XcodeObjects.Object) -> Set<String> {
    var files: Set<String> = []
    for (_, phase) in objects.list("buildPhases", of: target)
    where phase["isa"] as? String == "PBXSourcesBuildPhase" {
      for (_, file) in objects.list("files", of: phase) {
        if let path = (file["fileRef"] as? String).flatMap({ objects.path(of: $0) }) {
          files.insert(path)
        }
      }
    }
    let own = target["fileSystemSynchronizedGroups"] as? [String] ?? []
    for (group, names) in exceptions[id] ?? [] where !own.contains(group) {
      guard let path = objects.path(of: group) else { continue }
      files.formUnion(names.map { path + "/" + $0 })
    }
    return files
  }

  func folders(of id: String, _ target: XcodeObjects.Object) -> [XcodeProject.Folder] {
    (target["fileSystemSynchronizedGroups"] as? [String] ?? []).compactMap { group in
      guard let path = objects.path(of: group), !path.isEmpty else { return nil }
      let names = (exceptions[id] ?? []).filter { $0.group == group }.flatMap(\.files)
      return XcodeProject.Folder(path: path, exceptions: Set(names))
    }
  }
}
