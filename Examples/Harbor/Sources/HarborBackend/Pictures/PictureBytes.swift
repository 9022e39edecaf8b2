/// The bytes of a picture, and the sizes that its header claims.
///
/// All positions and lengths come from the file. A read beyond its end returns `nil`, and positions
/// are sums of numbers of at most 32 bits, so they cannot overflow.
struct PictureBytes {
  typealias Size = (width: Int, height: Int)

  let all: [UInt8]

  init(_ bytes: [UInt8]) {
    all = bytes
  }

  /// The size in the first chunk of a PNG file (PNG, section 11.2.1).
  var sizesOfPNG: [Size]? {
    guard number(at: 8, count: 4) == 13, tag(at: 12) == "IHDR",
      let width = number(at: 16, count: 4),
      let height = number(at: 20, count: 4)
    else { return nil }
    return [(width, height)]
  }

  /// The sizes in the frame headers of a JPEG file before its first scan (ITU T.81, annex B).
  var sizesOfJPEG: [Size]? {
    var sizes: [Size] = []
    var position = 2
    while let mark = number(at: position, count: 2) {
      // Bytes of 0xFF may fill the space before a marker.
      if mark == 0xFFFF {
        position += 1
        continue
      }
      guard mark > 0xFF00, let length = number(at: position + 2, count: 2), length >= 2 else {
        return nil
      }
      switch mark & 0xFF {
      case 0xD8, 0xD9, 0x01, 0xD0...0xD7: return nil
      case 0xDA: return sizes.isEmpty ? nil : sizes
      // The marker 0xDC changes the height later. Browsers do not support it.
      case 0xDC: return nil
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xDE:
        guard let height = number(at: position + 5, count: 2),
          let width = number(at: position + 7, count: 2)
        else { return nil }
        sizes.append((width, height))
      default: break
      }
      position += 2 + length
    }
    return nil
  }

  /// The size of the screen of a GIF file, and the sizes of its frames (GIF89a, sections 18 and 20).
  var sizesOfGIF: [Size]? {
    guard let screen = littleSize(at: 6), let flags = byte(at: 10) else { return nil }
    var sizes = [screen]
    var position = 13 + Self.tableSize(flags)
    while let kind = byte(at: position) {
      switch kind {
      case 0x2C:
        guard let left = little(at: position + 1, count: 2),
          let top = little(at: position + 3, count: 2), let frame = littleSize(at: position + 5),
          let flags = byte(at: position + 9)
        else { return sizes }
        // Some decoders enlarge the screen for a frame beyond it.
        sizes.append((left + frame.width, top + frame.height))
        position = afterBlocks(position + 11 + Self.tableSize(flags))
      case 0x21: position = afterBlocks(position + 2)
      default: return sizes
      }
    }
    return sizes
  }

  /// The sizes of the canvas and of the frames of a WebP file (RFC 9649, section 2).
  var sizesOfWebP: [Size]? {
    var sizes: [Size] = []
    var position = 12
    while let tag = tag(at: position), let length = little(at: position + 4, count: 4) {
      let start = position + 8
      switch tag {
      case "VP8X", "ANMF":
        let offset = tag == "VP8X" ? 4 : 6
        guard let width = little(at: start + offset, count: 3),
          let height = little(at: start + offset + 3, count: 3)
        else { return nil }
        sizes.append((width + 1, height + 1))
        // The chunks of a frame follow its header.
        if tag == "ANMF" {
          position = start + 16
          continue
        }
      case "VP8 ":
        guard number(at: start + 3, count: 3) == 0x9D012A, let size = littleSize(at: start + 6)
        else {
          return nil
        }
        // The two upper bits are a scale, which browsers ignore.
        sizes.append((size.width & 0x3FFF, size.height & 0x3FFF))
      case "VP8L":
        guard byte(at: start) == 0x2F, let bits = little(at: start + 1, count: 4) else {
          return nil
        }
        sizes.append(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
      default: break
      }
      position = start + length + length % 2
    }
    return sizes.isEmpty ? nil : sizes
  }

  func byte(at position: Int) -> Int? {
    all.indices.contains(position) ? Int(all[position]) : nil
  }

  /// A number of at most four bytes, the highest first.
  func number(at position: Int, count: Int) -> Int? {
    guard position >= 0, position + count <= all.count else { return nil }
    return all[position..<(position + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// A number of at most four bytes, the lowest first.
  func little(at position: Int, count: Int) -> Int? {
    guard position >= 0, position + count <= all.count else { return nil }
    return all[position..<(position + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func littleSize(at position: Int) -> Size? {
    guard let width = little(at: position, count: 2),
      let height = little(at: position + 2, count: 2)
    else { return nil }
    return (width, height)
  }

  func tag(at position: Int) -> String? {
    guard position + 4 <= all.count else { return nil }
    return String(decoding: all[position..<(position + 4)], as: UTF8.self)
  }

  /// The size of a GIF's table of colours.
  static func tableSize(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 6 << (flags & 7) }

  /// The position after a GIF's blocks of data, which begin with their lengths.
  func afterBlocks(_ start: Int) -> Int {
    var position = start
    while let length = byte(at: position), length > 0 { position += length + 1 }
    return position + 1
  }
}
