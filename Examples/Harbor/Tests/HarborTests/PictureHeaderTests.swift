import HarborBackend
import Testing

/// The sizes that the headers of pictures claim.
@Suite struct `The header of a picture` {
  private static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    big(number, count).reversed()
  }

  /// Files of all types and their parts that claim a size.
  enum Kind: CaseIterable, Sendable {
    case png, jpeg, laterJPEGFrame, gif, gifFrame, webp, webpFrame, webpLossless, webpLossy
  }

  private func file(_ kind: Kind, _ width: Int, _ height: Int) -> [UInt8] {
    let jpegFrame = { (width: Int, height: Int) in
      [0xFF, 0xC2, 0, 11, 8] + Self.big(height, 2) + Self.big(width, 2) + [1, 1, 0x11, 0]
    }
    let jpegStart: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF]
    let gif = { (width: Int, height: Int) in
      Array("GIF89a".utf8) + Self.little(width, 2) + Self.little(height, 2) + [0x80, 0, 0]
        + [UInt8](repeating: 0, count: 6)
    }
    let riff = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8)
    switch kind {
    case .png:
      return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + Self.big(width, 4) + Self.big(height, 4)
    case .jpeg: return jpegStart + jpegFrame(width, height) + [0xFF, 0xDA, 0, 2]
    case .laterJPEGFrame:
      return jpegStart + jpegFrame(9, 9) + jpegFrame(width, height) + [0xFF, 0xDA, 0, 2]
    case .gif: return gif(width, height)
    case .gifFrame:
      return gif(9, 9) + [0x21, 0xF9, 4, 0, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0] + Self.little(width, 2)
        + Self.little(height, 2) + [0, 2, 1, 0, 0, 0x3B]
    case .webp:
      return riff + Array("VP8X".utf8) + Self.little(10, 4) + [0, 0, 0, 0]
        + Self.little(width - 1, 3) + Self.little(height - 1, 3)
    case .webpFrame:
      return file(.webp, 9, 9) + Array("ANMF".utf8) + Self.little(16, 4)
        + [UInt8](repeating: 0, count: 6) + Self.little(width - 1, 3) + Self.little(height - 1, 3)
        + [0, 0, 0, 0]
    case .webpLossless:
      return riff + Array("VP8L".utf8) + Self.little(5, 4) + [0x2F]
        + Self.little((width - 1) & 0x3FFF | ((height - 1) & 0x3FFF) << 14, 4)
    case .webpLossy:
      return riff + Array("VP8 ".utf8) + Self.little(10, 4) + [0, 0, 0, 0x9D, 1, 0x2A]
        + Self.little(width, 2) + Self.little(height, 2)
    }
  }

  @Test(arguments: Kind.allCases)
  func `is read for each type`(kind: Kind) throws {
    for (width, height) in [(1, 1), (640, 480), (8_192, 2_048), (4_096, 4_096)] {
      let header = try PictureHeader(file(kind, width, height))
      guard ![.laterJPEGFrame, .gifFrame, .webpFrame].contains(kind) else { continue }
      #expect((header.width, header.height) == (width, height))
    }
  }

  @Test(arguments: Kind.allCases)
  func `is refused if it claims too many pixels`(kind: Kind) {
    for (width, height) in [(8_193, 1), (1, 16_383), (8_192, 2_049), (4_097, 4_096)] {
      #expect(throws: PictureProblem.tooLarge(width: width, height: height)) {
        try PictureHeader(file(kind, width, height))
      }
    }
  }

  @Test func `cannot overflow with the largest numbers`() {
    let largest = Int(UInt32.max)
    #expect(throws: PictureProblem.tooLarge(width: largest, height: largest)) {
      try PictureHeader(file(.png, largest, largest))
    }
    #expect(throws: PictureProblem.tooLarge(width: 65_535, height: 65_535)) {
      try PictureHeader(file(.gif, 65_535, 65_535))
    }
    let riff = Array("RIFF0000WEBPjunk".utf8) + [255, 255, 255, 255, 1, 2, 3]
    #expect(throws: PictureProblem.notAPicture) { try PictureHeader(riff) }
  }

  @Test(arguments: Kind.allCases)
  func `is refused without a size, and can end anywhere`(kind: Kind) {
    let whole = file(kind, 640, 480)
    for count in 0..<whole.count { _ = try? PictureHeader(whole.prefix(count)) }
    #expect(throws: PictureProblem.notAPicture) { try PictureHeader(whole.prefix(7)) }
    if [.png, .jpeg, .gif, .webpLossy].contains(kind) {
      #expect(throws: PictureProblem.notAPicture) { try PictureHeader(file(kind, 0, 9)) }
    }
  }
}
