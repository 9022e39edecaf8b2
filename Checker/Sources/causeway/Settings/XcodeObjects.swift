import Foundation

/// The objects of a `project.pbxproj` file, by their identifiers.
struct XcodeObjects {
  typealias Object = [String: Any]

  private let objects: [String: Object]
  /// The group of each group and file.
  private let parents: [String: String]
  /// The object of the project.
  let project: Object

  init?(_ data: Data) {
    guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let root = list as? Object, let objects = root["objects"] as? [String: Object],
      let project = (root["rootObject"] as? String).flatMap({ objects[$0] })
    else { return nil }
    self.objects = objects
    self.project = project
    var parents: [String: String] = [:]
    for (id, object) in objects {
      for child in object["children"] as? [String] ?? [] { parents[child] = id }
    }
    self.parents = parents
  }

  /// The objects that a list of another object names.
  func list(_ key: String, of object: Object) -> [(id: String, object: Object)] {
    (object[key] as? [String] ?? []).compactMap { id in objects[id].map { (id, $0) } }
  }

  func object(_ key: String, of object: Object) -> Object? {
    (object[key] as? String).flatMap { objects[$0] }
  }

  func all(_ kind: String) -> [(id: String, object: Object)] {
    objects.filter { $0.value["isa"] as? String == kind }.map { ($0.key, $0.value) }
  }

  /// The path of a group or a file, relative to the folder of the project; nil outside of it.
  ///
  /// Its own path is relative to the groups around it.
  func path(of id: String) -> String? {
    var parts: [String] = []
    var visited: Set<String> = []
    var current: String? = id
    while let id = current, visited.insert(id).inserted, let group = objects[id] {
      let path = group["path"] as? String
      if let path { parts.insert(path, at: 0) }
      switch group["sourceTree"] as? String ?? "<group>" {
      case "<group>": current = parents[id]
      case "SOURCE_ROOT": current = nil
      case "<absolute>": return path
      default: return nil
      }
    }
    return XcodeObjects.normalized(parts.joined(separator: "/"))
  }

  /// A path without `.` and, if possible, without `..`.
  static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
