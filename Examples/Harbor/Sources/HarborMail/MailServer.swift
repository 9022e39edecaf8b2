import Foundation

/// The address of a mail server and its account.
public struct MailServer: Sendable, Equatable, CustomStringConvertible {
  /// The name or the number of the host.
  public let host: String
  /// The port.
  public let port: Int
  /// Whether the connection begins with TLS, as `smtps` does; otherwise it changes to TLS.
  let beginsWithTLS: Bool
  /// The name of the account; nil for a server that needs none.
  let user: String?
  /// The password of the account.
  public var password: String?

  /// Whether a connection without TLS, or with a certificate that cannot be checked, is refused.
  ///
  /// Only a server on this machine may have such a connection, because a local relay often makes
  /// its own certificate.
  package var requiresTLS: Bool { !["localhost", "127.0.0.1", "::1"].contains(host) }

  /// Reads an address such as `smtp://name@mail.example:587`, or `smtps://mail.example`.
  ///
  /// Without a port, it is 587, or 465 for `smtps`. The address has no password, because other users
  /// of the machine can read the arguments of a program.
  ///
  /// - Throws: ``MailError/badServer``.
  public init(_ text: String) throws(MailError) {
    guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
      let scheme = parts.scheme, ["smtp", "smtps"].contains(scheme),
      ["", "/"].contains(parts.path),
      parts.query == nil, parts.fragment == nil,
      parts.port.map({ (1...65_535).contains($0) }) ?? true,
      parts.password == nil, !Self.hasControls(parts.user)
    else { throw .badServer }
    beginsWithTLS = scheme == "smtps"
    self.host = host.trimmingCharacters(in: ["[", "]"])
    port = parts.port ?? (beginsWithTLS ? 465 : 587)
    user = parts.user
  }

  /// The address, without the account.
  public var description: String {
    "\(beginsWithTLS ? "smtps" : "smtp")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  private static func hasControls(_ text: String?) -> Bool {
    text?.unicodeScalars.contains { $0.properties.generalCategory == .control } ?? false
  }
}
