package import Foundation

/// The text form of dates in JSON, the same in both directions.
package enum WireFormat {
  static let date = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  package static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      // Browsers write milliseconds; people usually do not.
      if let date = try? Date(text, strategy: date) { return date }
      if let date = try? Date(text, strategy: .iso8601) { return date }
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\"\(text)\" is not an ISO 8601 date such as 2026-01-31T09:30:00Z.")
    }
    return decoder
  }
}
