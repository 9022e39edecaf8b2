import Foundation
import HarborBackend
import Testing

/// Pictures whose files contained the place where they were taken.
@Suite(.timeLimit(.minutes(10))) struct `A picture without metadata` {
  private static let secret = Array("SECRET-53.5N-10E".utf8)

  /// Exif data with an orientation and the place in a second entry, in one of the two byte orders.
  private static func exif(_ orientation: UInt8, isLittle: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
      return isLittle ? bytes : bytes.reversed()
    }
    let entries =
      number(0x10F, 2) + number(2, 2) + number(16, 4) + number(38, 4)
      + number(0x112, 2) + number(3, 2) + number(1, 4) + number(Int(orientation), 2) + [0, 0]
    return Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
      + entries + number(0, 4) + secret
  }

  private static func segment(_ mark: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, mark, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
  }

  private static func jpeg(_ exif: [UInt8]) -> [UInt8] {
    let frame = segment(0xC2, [8, 0, 1, 0, 1, 1, 1, 0x11, 0])
    let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 0xFF, 0, 2, 0xFF, 0xD0, 3]
    return [0xFF, 0xD8]
      + segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9])
      + segment(0xE1, Array("Exif\0\0".utf8) + exif)
      + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + secret)
      + segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 7])
      + segment(0xE2, Array("MPF\0".utf8) + secret)
      + segment(0xED, Array("Photoshop 3.0\0".utf8) + secret)
      + segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]) + segment(0xFE, secret)
      + frame + segment(0xDB, [0, 5]) + scan + segment(0xFE, secret) + scan + [0xFF, 0xD9]
      // A film behind the picture, or a second picture.
      + [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0".utf8) + exif) + secret
  }

  private static func pngChunk(_ tag: String, _ content: [UInt8]) -> [UInt8] {
    let length = [24, 16, 8, 0].map { UInt8(content.count >> $0 & 0xFF) }
    return length + Array(tag.utf8) + content + [1, 2, 3, 4]
  }

  private static func png(_ exif: [UInt8]) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + pngChunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
      + pngChunk("sRGB", [0]) + pngChunk("eXIf", exif)
      + ["tEXt", "zTXt", "iTXt", "tIME", "prVt"].flatMap { pngChunk($0, secret) }
      + pngChunk("IDAT", [5]) + pngChunk("IEND", []) + secret
  }

  private static func riff(_ tag: String, _ content: [UInt8]) -> [UInt8] {
    let length = [0, 8, 16, 24].map { UInt8(content.count >> $0 & 0xFF) }
    return Array(tag.utf8) + length + content + (content.count % 2 == 1 ? [0] : [])
  }

  private static func webP(_ exif: [UInt8]) -> [UInt8] {
    let frame =
      [UInt8](repeating: 0, count: 16) + riff("VP8L", [0x2F, 0, 0, 0, 0]) + riff("note", secret)
    let content =
      riff("VP8X", [0x2F, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + riff("ICCP", [7])
      + riff("ANIM", [0, 0, 0, 0, 0, 0]) + riff("ANMF", frame) + riff("EXIF", exif)
      + riff("XMP ", secret) + riff("note", secret)
    return riff("RIFF", Array("WEBP".utf8) + content) + secret
  }

  private static func gif(_: [UInt8]) -> [UInt8] {
    let secretBlock = [UInt8(secret.count)] + secret + [0]
    return Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
      + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
      + [0x21, 0xFE] + secretBlock + [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + secretBlock
      + [0x21, 0xF9, 4, 0, 0, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0] + [
        0x3B
      ]
      + secret
  }

  static let makers: [@Sendable ([UInt8]) -> [UInt8]] = [
    { jpeg($0) }, { png($0) }, { webP($0) }, { gif($0) },
  ]

  private func plain(_ file: [UInt8]) throws -> [UInt8] {
    try #require(PictureType(file)).removingMetadata(from: file)
  }

  private func contains(_ file: [UInt8], _ text: [UInt8]) -> Bool {
    Data(file).range(of: Data(text)) != nil
  }

  @Test(arguments: 0..<4, [true, false])
  func `has neither the place nor other texts, and the same size`(kind: Int, isLittle: Bool) throws
  {
    let file = Self.makers[kind](Self.exif(6, isLittle: isLittle))
    #expect(contains(file, Self.secret))
    let plain = try plain(file)
    #expect(!contains(plain, Self.secret) && plain.count < file.count)
    #expect(try PictureHeader(plain) == PictureHeader(file))
    // The file is complete: a second removal changes nothing.
    #expect(try self.plain(plain) == plain)
  }

  @Test(arguments: 0..<3, [true, false])
  func `keeps its orientation`(kind: Int, isLittle: Bool) throws {
    let turned = try plain(Self.makers[kind](Self.exif(6, isLittle: isLittle)))
    // The entry of the orientation, the highest byte first.
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6]
    #expect(contains(turned, entry))
    for orientation: UInt8 in [0, 1, 9] {
      let upright = try plain(Self.makers[kind](Self.exif(orientation, isLittle: isLittle)))
      #expect(!contains(upright, [0x01, 0x12, 0, 3]))
    }
  }

  @Test func `keeps its colours, its scans and its animation`() throws {
    let jpeg = try plain(Self.jpeg(Self.exif(1, isLittle: true)))
    #expect(contains(jpeg, Array("ICC_PROFILE\0".utf8)) && contains(jpeg, Array("Adobe".utf8)))
    #expect(jpeg.suffix(2) == [0xFF, 0xD9])
    #expect(Data(jpeg).ranges(of: Data([1, 0xFF, 0, 2, 0xFF, 0xD0, 3])).count == 2)
    let png = try plain(Self.png(Self.exif(1, isLittle: true)))
    #expect(contains(png, Array("sRGB".utf8)) && contains(png, Array("IDAT".utf8)))
    let webP = try plain(Self.webP(Self.exif(1, isLittle: true)))
    for tag in ["ICCP", "ANIM", "ANMF", "VP8L"] { #expect(contains(webP, Array(tag.utf8))) }
    // The chunks that are gone are not announced.
    #expect(webP[20] == 0x23)
    #expect(webP[4...7].reversed().reduce(0) { $0 << 8 | Int($1) } == webP.count - 8)
    let gif = try plain(Self.gif([]))
    #expect(contains(gif, Array("NETSCAPE2.0".utf8)))
  }

  @Test(arguments: 0..<4)
  func `can be made from any damaged file`(kind: Int) throws {
    let file = Self.makers[kind](Self.exif(6, isLittle: false))
    for length in stride(from: 0, through: file.count, by: 3) {
      let type = try #require(PictureType(file))
      #expect(type.removingMetadata(from: file.prefix(length)).count <= length + 40)
    }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var damaged = file
      for _ in 0..<4 {
        damaged[Int.random(in: 0..<file.count, using: &random)] = .random(in: 0...255)
      }
      _ = try #require(PictureType(file)).removingMetadata(from: damaged)
    }
  }
}
