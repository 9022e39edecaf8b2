import CPostgres
import CausewayData

/// The values of a statement in libpq's form.
struct Parameters {
  private static let bigInt: Oid = 20
  private static let doublePrecision: Oid = 701
  private static let bytes: Oid = 17

  /// The types of the values; 0 if the server infers the type.
  let types: [Oid]
  private let texts: [[UInt8]?]
  private let formats: [Int32]

  /// - Throws: `PersistenceError` of kind `encoding` for text that the server cannot store.
  init(_ values: [SQLValue]) throws(PersistenceError) {
    var types: [Oid] = []
    var texts: [[UInt8]?] = []
    var formats: [Int32] = []
    types.reserveCapacity(values.count)
    texts.reserveCapacity(values.count)
    formats.reserveCapacity(values.count)
    for value in values {
      formats.append(0)
      switch value {
      case .null:
        types.append(0)
        texts.append(nil)
      case .integer(let integer):
        types.append(Self.bigInt)
        texts.append(Array("\(integer)\0".utf8))
      case .real(let real):
        types.append(Self.doublePrecision)
        texts.append(Array("\(real)\0".utf8))
      case .text(let text):
        types.append(0)
        texts.append(try Self.terminated(text))
      case .blob(let blob):
        types.append(Self.bytes)
        texts.append(blob)
        formats[formats.count - 1] = 1
      }
    }
    (self.types, self.texts, self.formats) = (types, texts, formats)
  }

  /// Returns the bytes of a text with a final NUL.
  static func terminated(_ text: String) throws(PersistenceError) -> [UInt8] {
    var bytes = Array(text.utf8)
    guard !bytes.contains(0) else {
      throw PersistenceError(
        .encoding, message: "PostgreSQL cannot store the character NUL in a text; use bytes")
    }
    bytes.append(0)
    return bytes
  }

  func withPointers<T>(
    _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> T
  ) -> T {
    // All values are in one block, so one pointer stays valid for all of them.
    let lengths = texts.map { Int32($0?.count ?? 0) }
    var block: [UInt8] = []
    for text in texts { block += text ?? [] }
    // An empty block has no address.
    block.append(0)
    return block.withUnsafeBytes { bytes in
      var offset = 0
      var pointers: [UnsafePointer<CChar>?] = []
      pointers.reserveCapacity(texts.count)
      for text in texts {
        let start = bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
        pointers.append(text == nil ? nil : start)
        offset += text?.count ?? 0
      }
      return body(pointers, lengths, formats)
    }
  }
}
