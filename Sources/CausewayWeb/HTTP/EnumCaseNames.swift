/// The names of an enum's cases, for messages that say which actions exist.
///
/// Synthesized decoding does not tell which names it knows, and reflection needs a value. The
/// names are read from the type's metadata, whose layout is part of Swift's stable ABI
/// (docs/ABI/TypeMetadata.rst in the Swift repository). Anything unexpected gives an empty list,
/// and then a message is less helpful and nothing else.
enum EnumCaseNames {
  /// Complexity: O(n) in the number of cases.
  static func of(_ type: Any.Type) -> [String] {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    // Kind 0x201 is an enum; its second word points to the nominal type descriptor.
    guard metadata.load(as: UInt.self) == 0x201 else { return [] }
    let descriptor = metadata.load(
      fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
    // Flags, parent, name and access function are four bytes each before the field descriptor.
    guard let fields = relative(descriptor + 16) else { return [] }
    // Two relative pointers, then kind, record size and number of records.
    let recordSize = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    guard recordSize >= 12, count <= 1024 else { return [] }
    return (0..<count).compactMap { index in
      let record = fields + 16 + index * recordSize
      return relative(record + 8).map {
        String(cString: $0.assumingMemoryBound(to: CChar.self))
      }
    }
  }

  private static func relative(_ address: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = address.load(as: Int32.self)
    return offset == 0 ? nil : address + Int(offset)
  }
}
