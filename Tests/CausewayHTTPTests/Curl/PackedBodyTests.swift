#if os(Linux)
  import CausewayData
  import Foundation
  import CZlib
  import Testing

  @testable import CausewayHTTP

  @Suite struct PackedBodyTests {
    /// Compresses bytes with zlib.
    ///
    /// - Parameter windowBits: 31 for gzip, 15 for deflate, -15 for deflate without a header.
    private func packed(_ bytes: [UInt8], windowBits: Int32) -> [UInt8] {
      var stream = z_stream()
      var input = bytes
      var output = [UInt8](repeating: 0, count: bytes.count + 1_000)
      let count = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          deflateInit2_(
            &stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
          stream.next_in = input.baseAddress
          stream.avail_in = UInt32(input.count)
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          deflate(&stream, Z_FINISH)
          deflateEnd(&stream)
          return Int(stream.total_out)
        }
      }
      return Array(output[..<count])
    }

    private func unpack(
      _ parts: [[UInt8]], _ encoding: String
    ) throws -> (bytes: [UInt8], isCutOff: Bool) {
      let body = try #require(try PackedBody(encoding: encoding))
      var bytes: [UInt8] = []
      for part in parts {
        _ = try part.withUnsafeBytes { part in
          try body.unpack(part) {
            bytes += $0
            return .proceed
          }
        }
      }
      return (bytes, body.isCutOff)
    }

    @Test(arguments: ["gzip", "deflate", "br"])
    func `an encoding that the request does not accept is an error`(_ encoding: String) {
      #expect(throws: NetworkError.self) {
        try PackedBody(encoding: encoding, isRequested: false)
      }
    }

    /// Runs in a process of its own, because other tests map memory at the same time.
    @Test func `a response that is not packed leaks no memory`() async {
      await #expect(processExitsWith: .success) {
        let before = try Self.mappedBytes()
        // Each leaked object would contain a buffer of 64 KiB.
        for _ in 0..<8_000 {
          _ = try PackedBody(encoding: nil)
          _ = try? PackedBody(encoding: "br")
        }
        #expect(try Self.mappedBytes() - before < 512 << 20)
      }
    }

    /// The size of the process's address space.
    private static func mappedBytes() throws -> Int {
      let sizes = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      let pages = try #require(sizes.split(separator: " ").first.flatMap { Int($0) })
      return pages * Int(getpagesize())
    }

    @Test(arguments: [nil, "", "identity"])
    func `a body that is not packed needs no unpacking`(_ encoding: String?) throws {
      #expect(try PackedBody(encoding: encoding, isRequested: false) == nil)
    }

    private let text = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

    @Test(arguments: [("gzip", 31), ("x-gzip", 31), ("deflate", 15), ("deflate", -15)])
    func `a body is decompressed in parts of any size, and an incomplete body is an error`(
      _ encoding: String, _ windowBits: Int32
    ) throws {
      let packed = packed(text, windowBits: windowBits)
      let whole = try unpack([packed], encoding)
      #expect(whole.bytes == text)
      #expect(!whole.isCutOff)
      let single = try unpack(packed.map { [$0] }, encoding)
      #expect(single.bytes == text)
      #expect(!single.isCutOff)
      for count in [1, 2, 3, packed.count / 2, packed.count - 1] {
        #expect(try unpack([Array(packed[..<count])], encoding).isCutOff, "\(count) bytes")
      }
    }

    @Test
    func `several gzip members are one body, and other trailing bytes are malformed`() throws {
      let member = packed(Array("harbour".utf8), windowBits: 31)
      let body = try unpack([member + member], "gzip")
      #expect(body.bytes == Array("harbourharbour".utf8))
      #expect(!body.isCutOff)
      #expect(try unpack([member + member.dropLast()], "gzip").isCutOff)
      for rest: [UInt8] in [[1], [0, 1], [0, 0x1F]] {
        for parts in [[member + rest], [member, rest], [member] + rest.map { [$0] }] {
          let error = #expect(throws: NetworkError.self) { try unpack(parts, "gzip") }
          #expect(error?.kind == .malformed)
        }
      }
    }

    @Test func `zeros after a gzip body are ignored`() throws {
      let member = packed(Array("harbour".utf8), windowBits: 31)
      let zeros = [UInt8](repeating: 0, count: 512)
      for parts in [
        [member + zeros], [member, zeros], [member, [0], [0]], [member + member, zeros],
      ] {
        let body = try unpack(parts, "gzip")
        #expect(String(decoding: body.bytes, as: UTF8.self).hasPrefix("harbour"))
        #expect(!body.isCutOff)
      }
      #expect(throws: NetworkError.self) {
        try unpack([packed(Array("harbour".utf8), windowBits: 15), zeros], "deflate")
      }
    }

    @Test func `a changed byte makes a body malformed`() throws {
      var packed = packed(text, windowBits: 31)
      packed[packed.count - 6] ^= 1
      let error = #expect(throws: NetworkError.self) { try unpack([packed], "gzip") }
      #expect(error?.kind == .malformed)
    }
  }
#endif
