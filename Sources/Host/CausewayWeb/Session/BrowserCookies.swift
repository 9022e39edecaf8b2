/// Makes and checks the cookies of browsers.
///
/// A cookie is a random id and its signature. A cookie that the server has not made is refused, so
/// another site or another person cannot choose the id of a browser.
struct BrowserCookies: Sendable {
  private let key: String

  /// The length of the shortest secret, in bytes.
  static let shortestKey = 16

  /// - Parameter key: The server's secret; nil makes one for this run.
  init(key: [UInt8]?) {
    self.key =
      key.map { $0.map { String($0, radix: 16) }.joined(separator: "-") }
      ?? SessionToken.make() + SessionToken.make()
  }

  /// A cookie for a new browser.
  func make() throws -> String {
    let id = SessionToken.make()
    return "\(id).\(try signature(of: id))"
  }

  /// Whether this server, or one with the same key, has made the cookie.
  func isOwn(_ cookie: String) throws -> Bool {
    guard Self.isWellFormed(cookie) else { return false }
    let made = try signature(of: String(cookie.prefix(32)))
    return made.isSameSecret(as: cookie.dropFirst(33))
  }

  /// A stable identifier of the browser that does not grant access to its sessions.
  ///
  /// The cookie is a secret that grants access. Its SHA-256 hash can be stored and logged. The
  /// cookie has 128 random bits, which cannot be guessed from the hash. So the hash does not need a
  /// salt for each cookie.
  static func identity(of cookie: String) throws -> String {
    try SHA256Code.hash(of: "causeway.browser" + cookie.prefix(32))
  }

  /// Whether the text has the form of a cookie; does not check the signature.
  static func isWellFormed(_ cookie: String) -> Bool {
    cookie.utf8.count > 33 && cookie.utf8.count <= 128
      && SessionToken.isWellFormed(String(cookie.prefix(32))) && cookie.dropFirst(32).first == "."
  }

  private func signature(of id: String) throws -> String {
    try SHA256Code.authentication(of: id, key: key)
  }
}

/// Makes names that cannot be guessed: 128 random bits of the system as 32 hexadecimal digits.
package enum SessionToken {
  package static func make() -> String {
    // This generator is cryptographically secure where the platform allows it.
    var source = SystemRandomNumberGenerator()
    return source.next().hexadecimalDigits + source.next().hexadecimalDigits
  }

  static func isWellFormed(_ token: String) -> Bool { token.isHexadecimal(count: 32) }
}
