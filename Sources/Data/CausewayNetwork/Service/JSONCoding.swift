public import Foundation

/// Encodes values as JSON and decodes them.
public struct JSONCoding: Sendable {
  private let makeEncoder: @Sendable () -> JSONEncoder
  private let makeDecoder: @Sendable () -> JSONDecoder

  /// Makes a coding from closures, which run for each body.
  public init(
    encoder: @escaping @Sendable () -> JSONEncoder, decoder: @escaping @Sendable () -> JSONDecoder
  ) {
    makeEncoder = encoder
    makeDecoder = decoder
  }

  /// The default coding: unchanged names, dates in ISO 8601, sorted keys.
  public static let standard = JSONCoding {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  } decoder: {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  /// Encodes a value as JSON.
  ///
  /// - Throws: `NetworkError` of kind `encoding`, with the coding path.
  public func encode(_ value: some Encodable) throws(NetworkError) -> [UInt8] {
    do {
      return Array(try makeEncoder().encode(value))
    } catch {
      throw NetworkError(.encoding, message: Self.explanation(of: error))
    }
  }

  /// Decodes a value from JSON.
  ///
  /// - Throws: `NetworkError` of kind `decoding`, with the coding path and an excerpt of the body.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws(NetworkError) -> Value {
    try decode(type, from: bytes, isSecret: false)
  }

  /// Decodes a value from JSON.
  ///
  /// - Parameter isSecret: Whether errors omit the content of the body.
  /// - Throws: `NetworkError` of kind `decoding`.
  package func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], isSecret: Bool
  ) throws(NetworkError) -> Value {
    if let nothing = NoContent() as? Value { return nothing }
    do {
      return try makeDecoder().decode(type, from: Data(bytes))
    } catch {
      throw NetworkError(
        .decoding,
        message: "the body is not a \(type): \(Self.explanation(of: error, isSecret: isSecret))",
        bodyExcerpt: isSecret ? nil : NetworkError.excerpt(of: bytes))
    }
  }

  private static func explanation(of error: any Error, isSecret: Bool = false) -> String {
    let context: (path: [any CodingKey], text: String)
    switch error {
    case DecodingError.keyNotFound(let key, let found):
      context = (found.codingPath, "\"\(key.stringValue)\" is missing")
    case DecodingError.typeMismatch(_, let found), DecodingError.dataCorrupted(let found):
      // The system's error would quote the value, for example an unknown case of an enumeration.
      context = (found.codingPath, isSecret ? "the value does not fit" : found.debugDescription)
    case DecodingError.valueNotFound(let type, let found):
      context = (found.codingPath, "null, but a \(type) is expected")
    case EncodingError.invalidValue(_, let found):
      context = (found.codingPath, found.debugDescription)
    default:
      context = ([], isSecret ? "it does not fit" : String(describing: error))
    }
    guard !context.path.isEmpty else { return context.text }
    let place = context.path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return "at \(place.hasPrefix(".") ? String(place.dropFirst()) : place): \(context.text)"
  }
}

/// The empty response of an endpoint, or the empty body of an operation.
///
/// Use it also for an endpoint whose response is not needed.
public struct NoContent: Codable, Sendable, Hashable {
  /// Makes the value.
  public init() {}

  /// Makes the value without decoding.
  public init(from decoder: any Decoder) {}
}
