import CausewayBasics
import CausewayNetwork
import Foundation

/// The fields of a response that concern caches (RFC 9111).
extension NetworkHeaders {
  /// The entity tag; if there is none, the date of the last change.
  var validator: String? { self["etag"] ?? self["last-modified"] }

  /// Whether the response may be stored (5.2.2.5).
  var mayStore: Bool { directives["no-store"] == nil }

  /// The time for which the response is still fresh; `nil` if the server does not give it (4.2).
  ///
  /// A response with `Vary: *` matches no later request (4.1). Other fields in `Vary` must be part
  /// of the key of the cache.
  var freshness: Duration? {
    let directives = directives
    if directives["no-cache"] != nil || directives["no-store"] != nil { return .zero }
    if (self["vary"] ?? "").split(separator: ",").contains(where: { Self.trimmed($0) == "*" }) {
      return .zero
    }
    let lifetime: Int64
    if let age = directives["max-age"] {
      // A `max-age` that cannot be read counts as expired.
      lifetime = Self.seconds(age) ?? 0
    } else if let expires = self["expires"] {
      let now = SystemValues.date
      let sent = self["date"].flatMap { HTTPDate.date($0, now: now) } ?? now
      let end = HTTPDate.date(expires, now: now) ?? sent
      let seconds = end.timeIntervalSince(sent).rounded()
      lifetime = Int64(exactly: min(max(0, seconds), Double(Self.longest))) ?? 0
    } else {
      return nil
    }
    // The time that the response has spent in other caches.
    let age = self["age"].flatMap { Self.seconds($0) } ?? 0
    return .seconds(max(0, lifetime - age))
  }

  /// The longest accepted time, about 68 years (1.2.2).
  private static let longest = Int64(Int32.max)

  /// The directives of `Cache-Control`, in lower case.
  private var directives: [String: String] {
    var directives: [String: String] = [:]
    for directive in (self["cache-control"] ?? "").split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1)
      let value = parts.count > 1 ? Self.trimmed(parts[1]).filter { $0 != "\"" } : ""
      // If a directive occurs several times, the first one counts (4.2.1).
      let name = Self.trimmed(parts.first ?? "").lowercased()
      directives[name] = directives[name] ?? value
    }
    return directives
  }

  private static func trimmed(_ text: Substring) -> String {
    text.trimmingCharacters(in: .whitespaces)
  }

  private static func seconds(_ text: String) -> Int64? {
    let digits = text.trimmingCharacters(in: .whitespaces)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return min(Int64(digits) ?? .max, longest)
  }
}
