import Synchronization

/// The bindings of the hosted pages.
extension Site {
  /// Reports the bindings of the pages of a server that another server calls, at its first request.
  func checkPagesOnce() {
    if !hasCheckedPages.exchange(true, ordering: .relaxed) { checkPages() }
  }

  /// Reports the bindings that can never work, once for all pages with the same file.
  func checkPages() {
    hasCheckedPages.store(true, ordering: .relaxed)
    let router = routes
    var checked: Set<[ObjectIdentifier]> = []
    for bindings in router.pages.compactMap(\.bindings)
    where checked.insert(bindings.key).inserted {
      for problem in bindings.problems(upload: { router.refusal(ofPostTo: $0) }) {
        configuration.reportError(problem)
      }
    }
  }

  /// The problems of a page's bindings, without and with its current view state.
  func bindingProblems(ofPage path: String, state: JSONValue?) -> [BindingProblem] {
    let router = routes
    let plain = String(path.prefix { $0 != "?" })
    guard let route = try? router.route(.get, plain).route, case .page(let page) = route.answer,
      let bindings = page.bindings
    else { return [] }
    let all =
      bindings.problems(upload: { router.refusal(ofPostTo: $0) })
      + (state.map { bindings.problems(in: $0) } ?? [])
    var seen: Set<BindingProblem> = []
    return all.sorted { $0.line < $1.line }.filter { seen.insert($0).inserted }
  }
}

extension WebServer {
  /// The bindings of a session's page that cannot work, in the order of the page file.
  ///
  /// - Parameter path: The path of the page, with its query.
  package func bindingProblems(
    ofPage path: String, session token: String
  ) async -> [BindingProblem] {
    guard let session = site.sessions.session(token) else { return [] }
    let snapshot = await session.model.snapshot()
    let own = try? snapshot()
    let whole = own.map { session.model.shared?.broadcast.completing($0) ?? $0 }
    return site.bindingProblems(ofPage: path, state: whole)
  }
}
