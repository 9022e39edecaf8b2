import Foundation

/// A folder whose files are served.
struct ServedFolder: Sendable {
  let path: String

  func response(for request: Request) throws(Problem) -> Response {
    let rest = request.parameters["**"] ?? ""
    let missing = Problem.notFound("There is no file at \(request.path).")
    let components = rest.split(separator: "/", omittingEmptySubsequences: false)
    // A decoded component can contain a slash, so the path is split again. A name that starts with
    // a dot is hidden or leads upwards.
    guard components.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else { throw missing }
    guard let root = Self.resolved(path), let file = Self.resolved(path + "/" + rest),
      file.hasPrefix(root.hasSuffix("/") ? root : root + "/"),
      let open = OpenFile(path: file)
    else { throw missing }
    return .representation(
      of: .file(open), type: MediaType.of(path: file), cacheControl: "no-cache", for: request)
  }

  /// The path without symbolic links and dots; nil if there is no such file.
  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
