extension PictureBytes {
  /// The blocks of a GIF file without its comments and the extensions of programs.
  ///
  /// The extension that repeats an animation stays (GIF89a, sections 23 to 26).
  var plainGIF: [UInt8] {
    guard let flags = byte(at: 10) else { return all }
    var position = 13 + Self.tableSize(flags)
    var plain = Array(slice(0, position))
    while let kind = byte(at: position) {
      let end: Int
      var isKept = true
      switch kind {
      case 0x2C:
        guard let flags = byte(at: position + 9) else { return plain }
        end = afterBlocks(position + 11 + Self.tableSize(flags))
      case 0x21:
        end = afterBlocks(position + 2)
        let label = byte(at: position + 1)
        isKept =
          label == 0xF9 || label == 0x01
          || label == 0xFF && isText("NETSCAPE2.0", at: position + 3)
      default: return plain + [0x3B]
      }
      if isKept { plain += slice(position, end) }
      position = end
    }
    return plain
  }
}
