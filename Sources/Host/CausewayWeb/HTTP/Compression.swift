import Synchronization

#if canImport(CZlib)
  import CZlib
#endif

/// Compresses responses for clients that accept gzip (RFC 9110, section 12.5.3).
///
/// Event streams, parts of files and small bodies are sent uncompressed.
final class Compression: Sendable {
  /// The compressed forms of bytes that do not change, by their entity tags.
  private let known = Mutex<[String: [UInt8]]>([:])

  private static let rememberedBodies = 128
  /// A smaller body fits into one packet anyway.
  private static let smallest = 1_400

  /// The response, with a compressed body if the client accepts gzip and the result is smaller.
  ///
  /// Complexity: O(n) in the size of the body.
  ///
  /// - Parameter isAsset: Whether the entity tag is a hash of the body. The compressed form is then
  ///   stored. Other responses can have the same tag for different bodies.
  func compressed(_ response: Response, for request: Request, isAsset: Bool = false) -> Response {
    guard case .bytes(let bytes) = response.body, response.status == .ok,
      response.headers["Content-Encoding"] == nil,
      Self.mayCompress(bytes, type: response.headers["Content-Type"])
    else { return response }
    var response = response
    let vary = response.headers["Vary"] ?? ""
    if !vary.lowercased().contains("accept-encoding") {
      response.headers["Vary"] = vary.isEmpty ? "Accept-Encoding" : "\(vary), Accept-Encoding"
    }
    guard Self.acceptsGzip(request.headers["Accept-Encoding"]) else { return response }
    let tag = response.headers["ETag"]
    let stored = isAsset ? tag.flatMap { compressed(bytes, tag: $0) } : Self.gzip(bytes)
    guard let small = stored, small.count < bytes.count else { return response }
    response.body = .bytes(small)
    response.headers["Content-Encoding"] = "gzip"
    response.headers["Accept-Ranges"] = nil
    // The compressed bytes are another representation, so their tag must be weak.
    if let tag, !tag.hasPrefix("W/") { response.headers["ETag"] = "W/\(tag)" }
    return response
  }

  private func compressed(_ bytes: [UInt8], tag: String) -> [UInt8]? {
    if let known = known.withLock({ $0[tag] }) { return known }
    let small = Self.gzip(bytes)
    known.withLock { known in
      if known.count >= Self.rememberedBodies { known.removeAll() }
      known[tag] = small
    }
    return small
  }

  /// Whether bytes are compressed for clients that accept gzip.
  static func mayCompress(_ bytes: [UInt8], type: String?) -> Bool {
    bytes.count >= smallest && isCompressible(type)
  }

  static func isCompressible(_ type: String?) -> Bool {
    guard let type = type?.prefix(while: { $0 != ";" }) else { return false }
    return type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("javascript")
      || type.hasSuffix("xml")
  }

  /// Whether an `Accept-Encoding` field allows gzip.
  static func acceptsGzip(_ field: String?) -> Bool {
    var isAnyAccepted = false
    let isAccepted = field?.firstPart(separatedBy: ",") { item -> Bool? in
      let (name, parameters) = item.split(at: ";")
      let isGzip = name.isName("gzip")
      guard isGzip || name.isName("*") else { return nil }
      let weight = parameters.flatMap(Self.weight)
      if isGzip { return weight.map { $0 > 0 } ?? true }
      isAnyAccepted = weight.map { $0 > 0 } ?? true
      return nil
    }
    return isAccepted ?? isAnyAccepted
  }

  private static func weight(in parameters: FieldPart) -> Double? {
    // The field has no parameters other than a weight.
    let text = parameters.bytes.prefix(32).filter { $0 != 32 && $0 != 9 }
    guard text.starts(with: "q=".utf8) || text.starts(with: "Q=".utf8) else { return nil }
    return Double(String(decoding: text.dropFirst(2).prefix { $0 != 59 }, as: UTF8.self))
  }

  /// The bytes in the gzip format; nil if the system has no zlib for it.
  static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    #if canImport(CZlib)
      var stream = z_stream()
      guard causeway_zlib_begin_gzip(&stream, 4) == Z_OK else { return nil }
      defer { deflateEnd(&stream) }
      let limit = deflateBound(&stream, UInt(bytes.count))
      var input = bytes
      return input.withUnsafeMutableBufferPointer { input in
        var isComplete = false
        let output = [UInt8](unsafeUninitializedCapacity: Int(limit)) { output, count in
          stream.next_in = input.baseAddress
          stream.avail_in = UInt32(input.count)
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
          count = output.count - Int(stream.avail_out)
        }
        return isComplete ? output : nil
      }
    #else
      return nil
    #endif
  }
}
