/// The type and the size of a picture, read from its header.
///
/// A small file can claim a picture of any size, and a browser or a decoder then reserves memory for
/// all its pixels. So the size is checked before the picture is stored, sent or decoded.
public struct PictureHeader: Sendable, Equatable {
  /// The largest width and height, in pixels.
  public static let longestSide = 8_192
  /// The largest number of pixels.
  public static let mostPixels = 1 << 24

  /// The type.
  public let type: PictureType
  /// The width of the picture, in pixels.
  public let width: Int
  /// The height of the picture, in pixels.
  public let height: Int

  /// Reads the header of a file.
  ///
  /// Complexity: O(*n*) in the number of the file's parts. It decodes no pixel.
  ///
  /// - Throws: ``PictureProblem``.
  public init(_ file: some Sequence<UInt8>) throws(PictureProblem) {
    let bytes = PictureBytes(Array(file))
    guard let type = PictureType(bytes.all) else { throw .notAPicture }
    let sizes =
      switch type {
      case .png: bytes.sizesOfPNG
      case .jpeg: bytes.sizesOfJPEG
      case .gif: bytes.sizesOfGIF
      case .webp: bytes.sizesOfWebP
      }
    guard let sizes, let first = sizes.first else { throw .notAPicture }
    for size in sizes {
      guard size.width > 0, size.height > 0 else { throw .notAPicture }
      // Both sides are at most 32 bits long, so the product of the checked sides cannot overflow.
      guard max(size.width, size.height) <= Self.longestSide,
        size.width * size.height <= Self.mostPixels
      else { throw .tooLarge(width: size.width, height: size.height) }
    }
    (self.type, width, height) = (type, first.width, first.height)
  }
}

/// The reason why a file is refused as a picture.
public enum PictureProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file is no PNG, JPEG, GIF or WebP picture, or its header is damaged.
  case notAPicture
  /// The header claims too many pixels.
  case tooLarge(width: Int, height: Int)

  /// A sentence for the user: the problem and its fix.
  public var description: String {
    switch self {
    case .notAPicture: "Choose a PNG, JPEG, GIF or WebP picture."
    case .tooLarge(let width, let height):
      """
      The picture has \(width) × \(height) pixels. Choose one of at most \
      \(PictureHeader.longestSide) pixels a side and \(PictureHeader.mostPixels >> 20) megapixels.
      """
    }
  }
}
