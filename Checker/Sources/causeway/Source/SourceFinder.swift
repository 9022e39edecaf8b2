import Foundation

/// Finds the Swift files at paths, and their modules.
struct SourceFinder {
  /// The files of one module, with its settings.
  struct Module: Sendable {
    let name: String
    let settings: BuildSettings
    var paths: [String]
  }

  private static let skipped: Set<String> = [
    "DerivedData", "Pods", "Carthage", "node_modules",
  ]

  private let arguments: [String]
  private let input: String?
  private var manifests: [String: PackageManifest?] = [:]
  private var roots: [String: String?] = [:]
  /// The absolute paths of folders, by their paths.
  private var absolutePaths: [String: String] = [:]
  private var projects: [String: (root: String, project: XcodeProject)?] = [:]

  /// - Parameters:
  ///   - arguments: Compiler settings for all modules.
  ///   - input: A file that need not exist.
  init(compilerArguments arguments: [String], input: String? = nil) {
    self.arguments = arguments
    self.input = input
  }

  /// The modules of all Swift files at the paths, sorted by name.
  mutating func modules(at paths: [String]) throws(SourceFileError) -> [Module] {
    var modules: [String: Module] = [:]
    var found: Set<String> = []
    var checked: [String: [BuildSettings]] = [:]
    for path in paths {
      // A link comes after its file, which has the folder of its module.
      let files = try path == input ? [path] : SourceFinder.files(at: path)
      let links = files.filter(SourceFinder.isLink)
      let isLink = Set(links)
      for file in files.filter({ !isLink.contains($0) }) + links {
        let absolute = absolutePath(of: file)
        // Paths such as `.` and `./A.swift` overlap.
        guard found.insert(absolute).inserted else { continue }
        let target =
          links.isEmpty && paths.count == 1
          ? file : URL(fileURLWithPath: file).resolvingSymlinksInPath().path
        for (key, settings) in self.modules(of: absolute, under: path) {
          // A link is checked again only if other settings can give it other findings.
          if isLink.contains(file), checked[target]?.contains(settings) == true { continue }
          checked[target, default: []].append(settings)
          modules[key, default: Module(name: key, settings: settings, paths: [])].paths.append(file)
        }
      }
    }
    return modules.values.map { module in
      var module = module
      module.paths.sort()
      return module
    }.sorted { $0.name < $1.name }
  }

  private mutating func absolutePath(of file: String) -> String {
    let folder = (file as NSString).deletingLastPathComponent
    let name = (file as NSString).lastPathComponent
    if let known = absolutePaths[folder] { return known + "/" + name }
    let path = URL(fileURLWithPath: file).standardizedFileURL.path
    // The name of a file can be `..`.
    if path.hasSuffix("/" + name) { absolutePaths[folder] = String(path.dropLast(name.count + 1)) }
    return path
  }

  /// The folder of the package that a module belongs to.
  mutating func root(ofModule module: Module) -> String? {
    guard let first = module.paths.first else { return nil }
    let path = URL(fileURLWithPath: first).standardizedFileURL.path
    return packageRoot(of: (path as NSString).deletingLastPathComponent)
  }

  private static func files(at path: String) throws(SourceFileError) -> [String] {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw SourceFileError(path: path, message: "there is no such file or folder")
    }
    guard isDirectory.boolValue else { return [path] }
    var found: [String] = []
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in entries.sorted() where !name.hasPrefix(".") && !skipped.contains(name) {
      let child = path == "." ? name : path.hasSuffix("/") ? path + name : path + "/" + name
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: child, isDirectory: &isFolder) else { continue }
      if isFolder.boolValue {
        // Symbolic links to folders can form a cycle.
        if !isLink(child) { found += try files(at: child) }
      } else if name.hasSuffix(".swift") {
        found.append(child)
      }
    }
    return found
  }

  private static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  /// The targets that compile a file with an absolute path, otherwise all files under the given path.
  ///
  /// A package and the Xcode project around it can both compile a file.
  private mutating func modules(
    of absolute: String, under path: String
  ) -> [(name: String, settings: BuildSettings)] {
    let directory = (absolute as NSString).deletingLastPathComponent
    var modules: [(name: String, settings: BuildSettings)] = []
    let project = xcodeProject(of: directory)
    // The folders of a project do not contain the files of a package inside of them.
    var isPackage = false
    if let root = packageRoot(of: directory), root.count >= project?.root.count ?? 0,
      let manifest = manifest(at: root)
    {
      let target = manifest.target(of: String(absolute.dropFirst(root.count + 1)))
      isPackage = target != nil || root != project?.root
      if isPackage {
        modules.append((root + ":" + (target?.name ?? ""), target?.settings ?? .init()))
      }
    }
    if let (root, project) = project {
      let relative = String(absolute.dropFirst(root.count + 1))
      let targets = project.targets(of: relative).filter { !isPackage || $0.names(relative) }
      // A package and a project in one folder can have targets with the same name.
      let prefix = root + "/.xcodeproj:"
      modules += targets.map { (prefix + $0.name, $0.settings) }
      if modules.isEmpty { modules = [(prefix, project.common)] }
    }
    if modules.isEmpty { modules = [(path, BuildSettings())] }
    return modules.map { name, settings in
      var settings = settings
      settings.apply(arguments: arguments)
      return (name, settings)
    }
  }

  /// The project in the nearest folder around a file that contains an Xcode project.
  private mutating func xcodeProject(
    of directory: String
  ) -> (root: String, project: XcodeProject)? {
    if let known = projects[directory] { return known }
    var found: (root: String, project: XcodeProject)?
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let projectName = names.filter { $0.hasSuffix(".xcodeproj") }.min()
    let data = projectName.flatMap {
      FileManager.default.contents(atPath: directory + "/" + $0 + "/project.pbxproj")
    }
    let project = data.flatMap { data in
      XcodeProject(data) { path in
        let absolute = path.hasPrefix("/") ? path : directory + "/" + path
        return FileManager.default.contents(atPath: absolute)
          .map { String(decoding: $0, as: UTF8.self) }
      }
    }
    if let project {
      found = (directory, project)
    } else if let parent = parent(of: directory) {
      found = xcodeProject(of: parent)
    }
    projects[directory] = .some(found)
    return found
  }

  /// The parent folder, if a manifest or a project in it can belong to the files of a folder.
  ///
  /// A manifest above the repository does not belong to the files, for example a forgotten manifest
  /// in the home folder. But the package around a submodule can compile the files of the submodule.
  private func parent(of directory: String) -> String? {
    guard directory != "/" && !directory.isEmpty, !isRepository(directory) else { return nil }
    return (directory as NSString).deletingLastPathComponent
  }

  /// Whether a folder is the root of a repository that is not a submodule.
  ///
  /// Submodules and working trees have a file `.git` with the path of their data.
  private func isRepository(_ directory: String) -> Bool {
    let path = directory + "/.git"
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return false }
    if isFolder.boolValue { return true }
    let data = FileManager.default.contents(atPath: path) ?? Data()
    return String(decoding: data, as: UTF8.self).contains("/worktrees/")
  }

  private mutating func packageRoot(of directory: String) -> String? {
    if let known = roots[directory] { return known }
    var root: String?
    if FileManager.default.fileExists(atPath: directory + "/Package.swift") {
      root = directory
    } else if let parent = parent(of: directory) {
      root = packageRoot(of: parent)
    }
    roots[directory] = .some(root)
    return root
  }

  private mutating func manifest(at root: String) -> PackageManifest? {
    if let known = manifests[root] { return known }
    var manifest: PackageManifest?
    if let bytes = FileManager.default.contents(atPath: root + "/Package.swift"),
      let source = try? SourceFile(path: root + "/Package.swift", bytes: bytes)
    {
      let files = FileManager.default
      manifest = PackageManifest(source.tree) {
        files.fileExists(atPath: root + "/" + $0)
      } room: { folder, target in
        let rooms = try? files.contentsOfDirectory(atPath: "\(root)/\(folder)")
        return rooms?.sorted().first {
          files.fileExists(atPath: "\(root)/\(folder)/\($0)/\(target)")
        }
      }
    }
    manifests[root] = .some(manifest)
    return manifest
  }
}
