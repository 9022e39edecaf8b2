import CPostgres
import CausewayDatabase
import Foundation

/// The values of a statement in libpq's form.
struct Parameters {
  private static let bigInt: Oid = 20
  private static let doublePrecision: Oid = 701
  private static let bytes: Oid = 17

  private let texts: [[UInt8]?]
  private let formats: [Int32]

  /// - Parameter inferred: The types that the server has inferred for dates and arrays; empty if no
  ///   value needs them.
  /// - Throws: `PersistenceError` of kind `encoding` for a value that the server cannot store.
  init(_ values: [SQLValue], inferred: [Oid] = []) throws(PersistenceError) {
    var texts: [[UInt8]?] = []
    var formats: [Int32] = []
    texts.reserveCapacity(values.count)
    formats.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      if let reason = value.refusal { throw PersistenceError(.encoding, message: reason) }
      formats.append(0)
      switch value {
      case .null:
        texts.append(nil)
      case .boolean(let flag):
        // The server reads this text as a truth value and as an integer.
        texts.append(Array(flag ? "1\0".utf8 : "0\0".utf8))
      case .date(let date):
        let isTime = inferred.indices.contains(index) && ServerTime.isTime(inferred[index])
        texts.append(Array("\(try Self.text(of: date, isTime: isTime))\0".utf8))
      case .uuid(let uuid):
        texts.append(Array("\(uuid.uuidString)\0".utf8))
      case .integer(let integer):
        texts.append(Array("\(integer)\0".utf8))
      case .real(let real):
        texts.append(Array("\(real)\0".utf8))
      case .text(let text):
        let element =
          inferred.indices.contains(index) ? ServerArray.element(of: inferred[index]) : nil
        let literal = try element.flatMap { element throws(PersistenceError) in
          try ServerArray.literal(ofJSON: text, element: element)
        }
        texts.append(try Self.terminated(literal ?? text))
      case .blob(let blob):
        texts.append(blob)
        formats[formats.count - 1] = 1
      }
    }
    (self.texts, self.formats) = (texts, formats)
  }

  /// The types of values; 0 if the server infers the type.
  static func types(of values: [SQLValue]) -> [Oid] {
    values.map { value in
      switch value {
      case .null, .boolean, .date, .text, .uuid: 0
      case .integer: bigInt
      case .real: doublePrecision
      case .blob: bytes
      }
    }
  }

  /// Returns the text of a date for a column of times, or for a column of numbers.
  static func text(of date: Date, isTime: Bool) throws(PersistenceError) -> String {
    if isTime { return try ServerTime.text(of: date) }
    guard date.isStorableAsNumber else { throw .dateOutOfRange(sql: nil) }
    return "\(date.timeIntervalSinceReferenceDate)"
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
