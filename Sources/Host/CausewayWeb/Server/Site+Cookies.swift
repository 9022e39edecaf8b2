/// The cookies of a browser.
///
/// The identity is a strict cookie: browsers do not send it with a link on another site. So a
/// request without the cookie can come from a new browser or from a known one. A new identity would
/// disconnect the open tabs of a known browser and sign its person out. Browsers describe the
/// origin of such a request differently, and over plain HTTP not at all. So two more cookies, which
/// are not secrets, distinguish the two cases:
///
/// - `known` is lax: a browser sends it with every page that it opens. It says that the browser has
///   an identity. The stream of a page sets it.
/// - `arrival` is strict and lives for a minute. If a browser sends it without an identity, it sends
///   strict cookies and has no identity.
extension Site {
  /// 400 days, in seconds.
  ///
  /// Browsers keep no cookie for longer.
  private static let cookieLife = 400 * 86_400

  /// The time in which a browser requests its page again, in seconds.
  private static let arrivalTime = 60

  private var knownName: String { name(of: "known") }
  private var arrivalName: String { name(of: "arrival") }

  /// The name of a cookie beside the identity, for the same port.
  private func name(of kind: String) -> String {
    cookieName.replacing("causeway-", with: "causeway-\(kind)-")
  }

  /// The field that gives a browser its identity, or renews the lifetime of its cookie.
  func cookie(_ identity: String) -> String {
    cookie(cookieName, identity, life: Self.cookieLife, sameSite: "Strict")
  }

  /// The field that says that a browser has an identity.
  var knownCookie: String { cookie(knownName, "1", life: Self.cookieLife, sameSite: "Lax") }

  /// Whether a browser that has sent no identity may still have one.
  func mayHaveIdentity(_ request: Request) -> Bool {
    // The script of a page of this host sends strict cookies. For the script of another site, the
    // browser stores no cookie of the answer.
    if request.acceptsJSON || request.cookie(arrivalName) != nil { return false }
    if request.cookie(knownName) != nil { return true }
    // An identity can be older than the other cookies. A request without a destination comes from
    // the service worker of a browser that was here before.
    return request.headers["Sec-Fetch-Site"] == "cross-site"
      || request.headers["Sec-Fetch-Dest"] == "empty"
  }

  /// The answer to a browser that may have an identity: a page that requests its own address again,
  /// now with the strict cookies.
  func arrival(_ request: Request) -> Response {
    var response = Self.reloading(after: 0)
    // This is the second request, so the browser seems to have lost its identity. The next request
    // shows whether the browser sends strict cookies.
    if isReferred(request) {
      response.headers.add(
        "Set-Cookie", cookie(arrivalName, "1", life: Self.arrivalTime, sameSite: "Strict"))
    }
    return response
  }

  /// Whether a page of this host has caused a request.
  private func isReferred(_ request: Request) -> Bool {
    guard let referrer = request.headers["Referer"], let host = request.headers["Host"] else {
      return false
    }
    return ["http", "https"].contains { referrer.hasPrefix("\($0)://\(host)/") }
  }

  /// A page that requests its own address again.
  ///
  /// The browser then sends its cookie, or its new cookie.
  static func reloading(after seconds: Int) -> Response {
    .html(
      """
      <!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="\(seconds)">
      <link rel="icon" href="data:,"><title>One moment</title><a href="">Go on</a>
      """)
  }

  private func cookie(_ name: String, _ value: String, life: Int, sameSite: String) -> String {
    "\(name)=\(value); Max-Age=\(life); Path=/; HttpOnly; SameSite=\(sameSite)"
      + (configuration.isBehindTLS ? "; Secure" : "")
  }
}

extension Request {
  /// Whether a page's script requests a new session; false if a browser requests a page.
  var acceptsJSON: Bool { headers["Accept"] == "application/json" }
}
