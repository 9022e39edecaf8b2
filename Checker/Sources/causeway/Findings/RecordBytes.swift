import Foundation

/// Writes numbers and texts as bytes.
///
/// A number uses seven bits of each byte, the lowest bits first. The highest bit says whether more
/// bytes follow. A text is the number of its bytes, followed by the bytes. Each name is written
/// once, and other data refers to it by a number.
struct RecordWriter {
  private var bytes: [UInt8] = []
  private var names: [String] = []
  private var indices: [String: Int] = [:]

  mutating func add(_ number: Int) { RecordWriter.add(number, to: &bytes) }

  mutating func add(_ text: String) { RecordWriter.add(text, to: &bytes) }

  mutating func add(name: String) {
    let index = indices[name] ?? names.count
    if index == names.count {
      indices[name] = index
      names.append(name)
    }
    add(index)
  }

  mutating func add(names: some Collection<String>) {
    add(names.count)
    for name in names { add(name: name) }
  }

  /// The names, then everything else.
  var data: Data {
    var all: [UInt8] = []
    all.reserveCapacity(bytes.count * 2)
    RecordWriter.add(names.count, to: &all)
    for name in names { RecordWriter.add(name, to: &all) }
    return Data(all + bytes)
  }

  private static func add(_ number: Int, to bytes: inout [UInt8]) {
    var rest = UInt(bitPattern: number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func add(_ text: String, to bytes: inout [UInt8]) {
    add(text.utf8.count, to: &bytes)
    bytes += text.utf8
  }
}

/// Reads the bytes of a `RecordWriter`.
struct RecordReader {
  struct Damage: Error {}

  private let bytes: [UInt8]
  private var index = 0
  private var known: [String] = []

  init(_ data: Data) throws(Damage) {
    bytes = Array(data)
    for _ in 0..<(try count()) { known.append(try text()) }
  }

  mutating func number() throws(Damage) -> Int {
    var number: UInt = 0
    var shift = 0
    while true {
      guard index < bytes.count, shift < UInt.bitWidth else { throw Damage() }
      let byte = bytes[index]
      index += 1
      number |= UInt(byte & 0x7F) << UInt(shift)
      if byte < 0x80 { return Int(bitPattern: number) }
      shift += 7
    }
  }

  /// Reads the number of elements of a list.
  ///
  /// Each element needs at least one byte.
  mutating func count() throws(Damage) -> Int {
    let count = try number()
    guard count >= 0, count <= bytes.count - index else { throw Damage() }
    return count
  }

  mutating func text() throws(Damage) -> String {
    let count = try count()
    let text = String(validating: bytes[index..<index + count], as: UTF8.self)
    index += count
    guard let text else { throw Damage() }
    return text
  }

  mutating func name() throws(Damage) -> String {
    let number = try number()
    guard known.indices.contains(number) else { throw Damage() }
    return known[number]
  }

  mutating func names() throws(Damage) -> [String] {
    var all: [String] = []
    for _ in 0..<(try count()) { all.append(try name()) }
    return all
  }

  mutating func nameSet() throws(Damage) -> Set<String> {
    let count = try count()
    var set = Set<String>(minimumCapacity: count)
    for _ in 0..<count { set.insert(try name()) }
    return set
  }
}
