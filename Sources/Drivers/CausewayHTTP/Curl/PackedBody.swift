#if canImport(CCurl)
  import CZlib
  import CausewayNetwork

  /// Unpacks a body that is compressed with gzip or deflate.
  ///
  /// libcurl can unpack too, but it accepts a truncated body if the announced length matches. This
  /// type is used only on the thread of its transfer.
  final class PackedBody {
    /// The encodings that requests accept.
    static let encodings = "gzip, deflate"

    private enum Format {
      case gzip, deflate
    }

    /// Allocated separately, because zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let piece: UnsafeMutableRawBufferPointer
    private let format: Format
    private var isBegun = false
    private var hasEnded = false
    /// Whether zeros have followed the end of a gzip body; nothing else may follow them.
    private var isPadded = false
    /// The first byte of a deflate body, until the second byte arrives.
    ///
    /// The two bytes together show the format.
    private var first: UInt8?

    /// Prepares to unpack an encoding; `nil` if the body is not packed.
    ///
    /// - Parameters:
    ///   - encoding: The response's `Content-Encoding`.
    ///   - isRequested: Whether the request accepts packed bodies. An event stream does not accept
    ///     them: its consumer may pause, and bytes that are already unpacked cannot be delivered
    ///     again.
    /// - Throws: `NetworkError` of kind `malformed` for an encoding that the request does not
    ///   accept.
    init?(encoding: String?, isRequested: Bool = true) throws(NetworkError) {
      switch encoding?.lowercased() {
      case nil, "", "identity": return nil
      case "gzip" where isRequested, "x-gzip" where isRequested: format = .gzip
      case "deflate" where isRequested: format = .deflate
      case .some(let other):
        throw NetworkError(
          .malformed, message: "the body is packed with \(other), which the request did not accept")
      }
      // This runs after the switch, because `deinit` does not run if the initialiser fails.
      piece = .allocate(byteCount: 64 << 10, alignment: 16)
      stream = .allocate(capacity: 1)
      stream.initialize(to: z_stream())
    }

    deinit {
      if isBegun { inflateEnd(stream) }
      stream.deallocate()
      piece.deallocate()
    }

    /// Whether the packed data ends too early.
    ///
    /// An empty body is complete, because servers may name an encoding for an empty body.
    var isCutOff: Bool { (isBegun || first != nil) && !hasEnded }

    /// Unpacks the next part and delivers it in pieces.
    ///
    /// - Returns: The command that `deliver` returned for the last piece. `cancel` ends the
    ///   unpacking.
    /// - Throws: `NetworkError` of kind `malformed`.
    func unpack(
      _ bytes: UnsafeRawBufferPointer,
      deliver: (UnsafeRawBufferPointer) -> ExchangeState.Command
    ) throws(NetworkError) -> ExchangeState.Command {
      guard let next = bytes.first else { return .proceed }
      if isBegun { return try run(bytes, deliver) }
      switch format {
      case .gzip:
        try begin(windowBits: 15 + 16)
        return try run(bytes, deliver)
      case .deflate:
        guard let first = first ?? (bytes.count > 1 ? next : nil) else {
          first = next
          return .proceed
        }
        let second = self.first == nil ? bytes[1] : next
        // The standard requires zlib's header (RFC 1950, 2.2), but many servers omit it.
        let hasHeader = first & 15 == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
        try begin(windowBits: hasHeader ? 15 : -15)
        if self.first != nil {
          let command = try withUnsafeBytes(of: first) { start throws(NetworkError) in
            try run(start, deliver)
          }
          if command == .cancel { return command }
        }
        return try run(bytes, deliver)
      }
    }

    private func begin(windowBits: Int32) throws(NetworkError) {
      guard causeway_zlib_begin(stream, windowBits) == Z_OK else {
        throw NetworkError(.other, message: "zlib could not be set up")
      }
      isBegun = true
    }

    private func run(
      _ bytes: UnsafeRawBufferPointer,
      _ deliver: (UnsafeRawBufferPointer) -> ExchangeState.Command
    ) throws(NetworkError) -> ExchangeState.Command {
      // zlib only reads its input.
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = UInt32(bytes.count)
      repeat {
        if hasEnded, try skipsPadding() { return .proceed }
        if hasEnded { try beginNextMember() }
        stream.pointee.next_out = piece.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(piece.count)
        let code = inflate(stream, Z_NO_FLUSH)
        let count = piece.count - Int(stream.pointee.avail_out)
        if count > 0, deliver(UnsafeRawBufferPointer(rebasing: piece[..<count])) == .cancel {
          return .cancel
        }
        switch code {
        case Z_STREAM_END: hasEnded = true
        // Z_BUF_ERROR means that no input is left, or that the output has no room.
        case Z_OK, Z_BUF_ERROR: break
        default: throw malformed(stream.pointee.msg.map { String(cString: $0) } ?? "code \(code)")
        }
      } while stream.pointee.avail_in > 0 || (stream.pointee.avail_out == 0 && !hasEnded)
      return .proceed
    }

    /// Skips the zeros that some servers add after a gzip body to fill the last block.
    ///
    /// Other programs ignore these zeros too; the manual of gzip describes this for tapes.
    ///
    /// - Returns: Whether all remaining bytes were zeros.
    private func skipsPadding() throws(NetworkError) -> Bool {
      guard format == .gzip, let next = stream.pointee.next_in else { return false }
      let rest = UnsafeBufferPointer(start: next, count: Int(stream.pointee.avail_in))
      guard isPadded || rest.first == 0 else { return false }
      guard rest.allSatisfy({ $0 == 0 }) else { throw malformed("there is more after its end") }
      isPadded = true
      return true
    }

    /// Begins the next member of a gzip body, which may have several members (RFC 1952, 2.2).
    ///
    /// - Throws: `NetworkError` of kind `malformed` if other data follows.
    private func beginNextMember() throws(NetworkError) {
      guard format == .gzip, stream.pointee.next_in.pointee == 0x1F, inflateReset(stream) == Z_OK
      else { throw malformed("there is more after its end") }
      hasEnded = false
    }

    private func malformed(_ reason: String) -> NetworkError {
      NetworkError(.malformed, message: "the packed body cannot be unpacked: \(reason)")
    }
  }
#endif
