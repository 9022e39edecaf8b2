import Foundation

/// What the options say about addresses and names.
enum NetworkName {
  /// Whether a server can listen on a text: `localhost`, or a numeric address without a port.
  static func isListenable(_ text: String) -> Bool {
    text == "localhost" || bytes(of: text, AF_INET) != nil || bytes(of: text, AF_INET6) != nil
  }

  /// Whether only programs of this machine reach an address.
  static func isLoopback(_ text: String) -> Bool {
    text == "localhost" || text.hasPrefix("127.")
      || bytes(of: text, AF_INET6) == Array(repeating: 0, count: 15) + [1]
  }

  /// Whether a text is the name of a web server, perhaps with a port, and nothing else.
  static func isWebServer(_ text: String) -> Bool {
    // Browsers send the ASCII form of a name with other letters.
    guard text.count <= 253, text.utf8.allSatisfy({ $0 < 128 }),
      let url = URLComponents(string: "https://\(text)"), let host = url.host, !host.isEmpty,
      url.port.map({ (1...65_535).contains($0) }) ?? true
    else { return false }
    return text == host + (url.port.map { ":\($0)" } ?? "")
  }

  /// The address of a web server for a browser, such as `http://127.0.0.1:8080`.
  static func url(host: String, port: UInt16) -> URL? {
    URL(string: "http://\(host.contains(":") ? "[\(host)]" : host):\(port)")
  }

  /// The 16 bytes of a numeric address; `nil` for any other text.
  ///
  /// An IPv4 address uses four of them.
  private static func bytes(of text: String, _ family: Int32) -> [UInt8]? {
    // An address of IPv6 may name the interface: fe80::1%eth0.
    let address = family == AF_INET6 ? String(text.prefix { $0 != "%" }) : text
    var bytes = [UInt8](repeating: 0, count: 16)
    return inet_pton(family, address, &bytes) == 1 ? bytes : nil
  }
}
