/// The types of pictures that browsers show, recognised by the first bytes of a file.
public enum PictureType: String, Sendable {
  /// PNG.
  case png = "image/png"
  /// JPEG.
  case jpeg = "image/jpeg"
  /// GIF.
  case gif = "image/gif"
  /// WebP.
  case webp = "image/webp"

  /// The type of a file; `nil` for other files.
  public init?(_ bytes: some Sequence<UInt8>) {
    let head = Array(bytes.prefix(12))
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: "GIF8".utf8) {
      self = .gif
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WEBP".utf8) {
      self = .webp
    } else {
      return nil
    }
  }
}
