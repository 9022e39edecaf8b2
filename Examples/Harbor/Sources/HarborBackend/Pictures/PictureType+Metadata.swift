/// The metadata of a picture file, such as the place and the camera.
extension PictureType {
  /// Returns a file of this type without metadata: without Exif, XMP and IPTC, comments, previews,
  /// and everything after its end.
  ///
  /// The orientation stays, and so do colour profiles and animations. The pixels do not change. A GIF
  /// file loses its comments.
  ///
  /// Complexity: O(*n*) in the size of the file.
  public func removingMetadata(from file: some Sequence<UInt8>) -> [UInt8] {
    let bytes = PictureBytes(Array(file))
    return switch self {
    case .png: bytes.plainPNG
    case .jpeg: bytes.plainJPEG
    case .gif: bytes.plainGIF
    case .webp: bytes.plainWebP
    }
  }
}
