import CausewayWeb

extension PostRoutes {
  /// Returns the reason why a client cannot post to a path; nil if it can.
  func refusal(ofPostTo path: String) -> String? {
    guard let problem = problem(ofPostTo: path) else { return nil }
    if problem.status == .methodNotAllowed { return "the route \(path) does not answer POST." }
    // A parameter of a pattern matches any component.
    let patterns = postPatterns(filledFrom: path)
    let near = NearestName.nearest(to: path, in: patterns.keys).flatMap { patterns[$0] }
    return "no route answers POST \(path)" + (near.map { "; did you mean \"\($0)\"?" } ?? ".")
  }
}
