/// Refuses requests that a page of another site caused a browser to send.
struct RequestGuard {
  let configuration: WebServerConfiguration
  let boundHost: String?

  /// The address of the client in front of the trusted proxies.
  ///
  /// This is the last address in `X-Forwarded-For` that is not a trusted proxy. The entries before
  /// it can be false, because a client can write them. An entry that is not a numeric address ends
  /// the search.
  func client(of request: Request) -> String {
    var address = request.remoteAddress
    guard configuration.trustedProxies.contains(address) else { return address }
    for field in request.headers.values("X-Forwarded-For").reversed() {
      var rest: Substring.UTF8View? = field.utf8[...]
      // Empty entries between commas are left out.
      while let entries = rest {
        let comma = entries.lastIndex(of: UInt8(ascii: ","))
        let entry = comma.map { entries[entries.index(after: $0)...] } ?? entries
        rest = comma.map { entries[..<$0] }
        if entry.isEmpty { continue }
        guard configuration.trustedProxies.contains(address), entry.count <= 64,
          let next = ClientAddress.normalized(String(Substring(entry)))
        else { return address }
        address = next
      }
    }
    return address
  }

  func check(_ request: Request) throws(Problem) {
    let host = request.headers["Host"] ?? ""
    try checkHost(host)
    if !request.method.isSafe { try checkOrigin(request, host) }
  }

  /// Refuses host names that another site has rebound to this machine.
  ///
  /// The browser still sends the rebound name. Numeric addresses cannot be rebound.
  private func checkHost(_ field: String) throws(Problem) {
    let name = Self.name(of: field)
    let isWildcard = boundHost == "0.0.0.0" || boundHost == "::"
    if ["127.0.0.1", "localhost", "::1", boundHost].contains(name) { return }
    if isWildcard && Self.isNumeric(name) { return }
    if configuration.allowedHosts.contains(name) || configuration.allowedHosts.contains(field) {
      return
    }
    throw Problem(
      .misdirectedRequest, code: "unknown-host",
      detail: "This server does not answer for the host \"\(field)\"; add it to allowedHosts.")
  }

  /// Refuses changes that come from another origin.
  ///
  /// Browsers report the origin of a request. Other programs do not, but a page cannot make them
  /// send requests.
  private func checkOrigin(_ request: Request, _ host: String) throws(Problem) {
    if let origin = request.headers["Origin"] {
      if origin == "https://\(host)" { return }
      if !configuration.isBehindTLS, origin == "http://\(host)" { return }
      if configuration.allowedOrigins.contains(origin) { return }
      throw Self.crossSite("The origin \"\(origin)\" may not change anything here.")
    }
    switch request.headers["Sec-Fetch-Site"] {
    case nil, "same-origin", "none": return
    case let site?: throw Self.crossSite("A \(site) request may not change anything here.")
    }
  }

  /// Allows a page to be opened by navigation or by its own script only.
  ///
  /// An image or a frame of another site that points here must not start a session.
  ///
  /// - Parameter isFramed: Whether pages of other ports of the same host may frame this one; its
  ///   content security policy says which.
  static func checkPage(_ request: Request, isFramed: Bool) throws(Problem) {
    let site = request.headers["Sec-Fetch-Site"] ?? "none"
    let destination = request.headers["Sec-Fetch-Dest"] ?? "document"
    let isOwn = site == "same-origin" || site == "none"
    if isFramed, destination == "iframe", isOwn || site == "same-site" { return }
    // The request of a service worker for a page of its window has no destination. Scripts of pages
    // cannot make a request with this mode.
    let isNavigation = request.headers["Sec-Fetch-Mode"] == "navigate"
    if destination == "document" || (destination == "empty" && (isOwn || isNavigation)) { return }
    throw crossSite("A page cannot be loaded as \"\(destination)\" by a \(site) request.")
  }

  private static func crossSite(_ detail: String) -> Problem {
    Problem(.forbidden, code: "cross-site", detail: detail)
  }

  /// The host without its port and without the brackets of an IPv6 address.
  ///
  /// If the field has another form, the result is the whole field, which matches no known name.
  private static func name(of field: String) -> String {
    let isIPv6 = field.hasPrefix("[")
    let name = isIPv6 ? field.dropFirst().prefix { $0 != "]" } : field.prefix { $0 != ":" }
    var rest = field[name.endIndex...]
    if isIPv6 { rest = rest.dropFirst() }
    let isPort = rest.hasPrefix(":") && rest.utf8.dropFirst().allSatisfy { (48...57).contains($0) }
    return rest.isEmpty || isPort ? name.lowercased() : field
  }

  private static func isNumeric(_ name: String) -> Bool {
    name.contains(":") || name.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
  }
}
