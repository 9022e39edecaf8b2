/// The orientation of a picture, which is the only part of Exif data that stays.
extension PictureBytes {
  /// The orientation in the first directory of Exif data; `nil` for the usual one (Exif 2.32, 4.6).
  static func orientation(inExif data: ArraySlice<UInt8>) -> UInt8? {
    let bytes = PictureBytes(Array(data))
    let isLittle = bytes.tag(at: 0)?.hasPrefix("II") == true
    func number(_ position: Int, _ count: Int) -> Int? {
      isLittle
        ? bytes.little(at: position, count: count) : bytes.number(at: position, count: count)
    }
    guard isLittle || bytes.tag(at: 0)?.hasPrefix("MM") == true, number(2, 2) == 42,
      let start = number(4, 4), let count = number(start, 2)
    else { return nil }
    for entry in 0..<count {
      let position = start + 2 + entry * 12
      guard let tag = number(position, 2) else { return nil }
      guard tag == 0x112 else { continue }
      guard number(position + 2, 2) == 3, let value = number(position + 8, 2),
        (2...8).contains(value)
      else { return nil }
      return UInt8(value)
    }
    return nil
  }

  /// Exif data with an orientation and nothing else.
  static func exif(_ orientation: UInt8) -> [UInt8] {
    Array("MM".utf8) + [
      0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0,
    ]
      + [0, 0, 0, 0]
  }

  func slice(_ start: Int, _ end: Int) -> ArraySlice<UInt8> {
    let start = min(max(start, 0), all.count)
    return all[start..<min(max(end, start), all.count)]
  }

  func isText(_ text: String, at position: Int) -> Bool {
    slice(position, position + text.utf8.count).elementsEqual(text.utf8)
  }
}
