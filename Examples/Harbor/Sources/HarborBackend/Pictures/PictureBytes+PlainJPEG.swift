extension PictureBytes {
  /// The segments of a JPEG file that a decoder needs (ITU T.81, annex B).
  var plainJPEG: [UInt8] {
    var plain = Array(slice(0, 2))
    var position = 2
    var hasOrientation = false
    while let mark = number(at: position, count: 2) {
      // Bytes of 0xFF may fill the space before a marker.
      if mark == 0xFFFF {
        position += 1
        continue
      }
      // Decoders skip bytes between segments.
      guard mark > 0xFF00 else {
        position += 1
        continue
      }
      let kind = mark & 0xFF
      if kind == 0xD9 { return plain + slice(position, position + 2) }
      if (0xD0...0xD8).contains(kind) || kind == 0x01 {
        plain += slice(position, position + 2)
        position += 2
        continue
      }
      guard let length = number(at: position + 2, count: 2), length >= 2 else { return plain }
      let end = position + 2 + length
      switch kind {
      case 0xE0 where isText("JFIF\0", at: position + 4):
        // Without its preview, the segment has 16 bytes.
        plain += [0xFF, 0xE0, 0, 16] + slice(position + 4, min(position + 16, end)) + [0, 0]
      case 0xE1:
        guard isText("Exif\0\0", at: position + 4), !hasOrientation,
          let orientation = Self.orientation(inExif: slice(position + 10, end))
        else { break }
        hasOrientation = true
        let exif = Array("Exif\0\0".utf8) + Self.exif(orientation)
        plain += [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
      // The colours: a profile, and the transform of Adobe.
      case 0xE2 where isText("ICC_PROFILE\0", at: position + 4),
        0xEE where isText("Adobe", at: position + 4):
        plain += slice(position, end)
      case 0xE0...0xEF, 0xFE: break
      default: plain += slice(position, end)
      }
      position = end
      guard kind == 0xDA else { continue }
      let scanEnd = endOfScan(from: position)
      plain += slice(position, scanEnd)
      position = scanEnd
    }
    return plain
  }

  /// The position of the next marker behind the data of a scan.
  ///
  /// In the data, 0 or a marker of a restart follows each 0xFF.
  private func endOfScan(from start: Int) -> Int {
    var position = start
    while position + 1 < all.count {
      if all[position] == 0xFF, all[position + 1] != 0, !(0xD0...0xD7).contains(all[position + 1]) {
        return position
      }
      position += 1
    }
    return all.count
  }
}
