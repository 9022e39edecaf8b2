import Foundation

/// The numeric addresses of clients in one spelling.
enum ClientAddress {
  /// The address without a port, brackets and a zone; nil if the text is not a numeric address.
  ///
  /// An IPv4 address that is mapped to IPv6 becomes the IPv4 address. A dual-stack socket and some
  /// proxies report IPv4 clients in that form.
  static func normalized(_ text: String) -> String? {
    let text = text.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || isPort(rest) else { return nil }
      return version6(text[text.index(after: text.startIndex)..<end])
    }
    if let colon = text.firstIndex(of: ":") {
      guard text[text.index(after: colon)...].contains(":") else {
        return isPort(text[colon...]) ? version4(text[..<colon]) : nil
      }
      return version6(text[...])
    }
    return version4(text[...])
  }

  /// The name under which limits count an address.
  ///
  /// A provider gives each customer at least a /64 network of IPv6 addresses, so a customer could
  /// evade a limit that counts each address separately.
  static func group(of address: String) -> String {
    guard address.contains(":"), var bytes = bytes6(address[...]) else { return address }
    for index in 8..<16 { bytes[index] = 0 }
    return text6(bytes).map { "\($0)/64" } ?? address
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.hasPrefix(":") && UInt16(text.dropFirst()) != nil
  }

  private static func version4(_ text: Substring) -> String? {
    var address = in_addr()
    guard inet_pton(AF_INET, String(text), &address) == 1 else { return nil }
    // inet_pton accepts only one spelling of an IPv4 address.
    return String(text)
  }

  private static func version6(_ text: Substring) -> String? {
    guard let bytes = bytes6(text.prefix { $0 != "%" }) else { return nil }
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
      return bytes[12...].map(String.init).joined(separator: ".")
    }
    return text6(bytes)
  }

  private static func bytes6(_ text: Substring) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    return inet_pton(AF_INET6, String(text), &bytes) == 1 ? bytes : nil
  }

  private static func text6(_ bytes: [UInt8]) -> String? {
    var text = [CChar](repeating: 0, count: 64)
    guard inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count)) != nil else { return nil }
    return String(
      decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
