extension PictureBytes {
  /// The chunks of a WebP file that change its pixels (RFC 9649, section 2).
  var plainWebP: [UInt8] {
    let kept: Set = ["VP8 ", "VP8L", "ALPH", "ANIM", "ICCP"]
    var content: [UInt8] = []
    var exif: [UInt8] = []
    var flags: Int?
    // Bytes after the file's own length can belong to another file.
    let fileEnd = min(all.count, 8 + (little(at: 4, count: 4) ?? 0))
    var position = 12
    while position < fileEnd, let tag = tag(at: position),
      let length = little(at: position + 4, count: 4)
    {
      let (start, end) = (position + 8, position + 8 + length + length % 2)
      if tag == "VP8X" {
        flags = content.count + 8
        content += slice(position, end)
      } else if tag == "ANMF" {
        content += plainFrame(start, start + length)
      } else if tag == "EXIF", exif.isEmpty {
        let prefix = isText("Exif\0\0", at: start) ? 6 : 0
        if let orientation = Self.orientation(inExif: slice(start + prefix, start + length)) {
          exif = Self.webPChunk("EXIF", Self.exif(orientation))
        }
      } else if kept.contains(tag) {
        content += slice(position, end)
      }
      position = end
    }
    // Only a file with this chunk can have metadata.
    if let flags, flags < content.count {
      content[flags] = content[flags] & ~0x0C | (exif.isEmpty ? 0 : 0x08)
      content += exif
    }
    return Array("RIFF".utf8) + Self.littleEndian(content.count + 4) + Array("WEBP".utf8) + content
  }

  /// A frame of an animation, whose chunks follow a head of 16 bytes.
  private func plainFrame(_ start: Int, _ end: Int) -> [UInt8] {
    var content = Array(slice(start, min(start + 16, end)))
    var position = start + 16
    while position < end, let tag = tag(at: position),
      let length = little(at: position + 4, count: 4)
    {
      let next = position + 8 + length + length % 2
      if ["VP8 ", "VP8L", "ALPH"].contains(tag) { content += slice(position, min(next, end)) }
      position = next
    }
    return Self.webPChunk("ANMF", content)
  }

  private static func webPChunk(_ tag: String, _ content: [UInt8]) -> [UInt8] {
    Array(tag.utf8) + littleEndian(content.count) + content
      + Array(repeating: 0, count: content.count % 2)
  }

  private static func littleEndian(_ number: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
