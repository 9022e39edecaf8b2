extension PictureBytes {
  /// The chunks of a PNG file that change its pixels (PNG, section 11).
  ///
  /// Each chunk has its length, a tag, its content and a checksum.
  var plainPNG: [UInt8] {
    let kept: Set = [
      "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD",
      "pHYs",
      "hIST", "cICP", "mDCV", "cLLI", "acTL", "fcTL", "fdAT",
    ]
    var plain = Array(slice(0, 8))
    var position = 8
    while let length = number(at: position, count: 4), let tag = tag(at: position + 4) {
      let end = position + 12 + length
      if kept.contains(tag) {
        plain += slice(position, end)
      } else if tag == "eXIf",
        let orientation = Self.orientation(inExif: slice(position + 8, end - 4))
      {
        plain += Self.chunk("eXIf", Self.exif(orientation))
      }
      if tag == "IEND" { break }
      position = end
    }
    return plain
  }

  private static func chunk(_ tag: String, _ content: [UInt8]) -> [UInt8] {
    let checked = Array(tag.utf8) + content
    return bigEndian(UInt32(content.count)) + checked + bigEndian(checksum(checked))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The CRC of PNG, annex D.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
      }
    }
  }
}
