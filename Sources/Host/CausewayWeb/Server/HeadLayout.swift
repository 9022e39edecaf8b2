import Foundation

/// Whether the library has reported every byte of a request's head.
///
/// Before version 1.0, the library overwrites each separator in a head with NUL, and reports the
/// strings between the separators. In a well-formed head, each string therefore starts right after
/// the separator of the string before. Otherwise the library has cut a string at a NUL byte, has
/// accepted a line feed without a carriage return, has joined two lines, or has ended the head at a
/// field without a name. A proxy can read such a head in another way.
///
/// Only addresses are compared. The memory between the strings is not read.
struct HeadLayout {
  private let start: UInt
  /// The address at which the next line must start.
  private var next: UInt
  private var hasGap: Bool

  /// The layout of a request line.
  ///
  /// - Parameter addressLength: The bytes of the address before the library split its query.
  init(
    method: UnsafePointer<CChar>, address: UnsafePointer<CChar>, addressLength: Int,
    version: UnsafePointer<CChar>
  ) {
    start = UInt(bitPattern: method)
    hasGap =
      address != method + strlen(method) + 1 || version != address + addressLength + 1
    next = UInt(bitPattern: version + strlen(version) + 2)
  }

  /// Adds a field, in the order in which the fields arrived.
  mutating func add(
    name: UnsafePointer<CChar>, _ nameLength: Int, value: UnsafePointer<CChar>, _ valueLength: Int
  ) {
    // Any number of spaces may precede the value.
    if UInt(bitPattern: name) != next || value <= name + nameLength { hasGap = true }
    next = UInt(bitPattern: value + valueLength + 2)
  }

  /// Whether a head of this size consists of the added lines and an empty line.
  func isComplete(_ size: Int) -> Bool { !hasGap && next + 2 == start + UInt(size) }
}

/// The result of checking an address before the library splits its query.
///
/// The library keeps it in the request's slot until the request's exchange replaces it.
struct AddressNote {
  /// The bytes of the address.
  let length: Int
  /// Whether the query was cut off because it has too many items.
  let isCut: Bool
  /// Whether the address contains a space or a control character.
  let isOdd: Bool

  init(length: Int, isCut: Bool, isOdd: Bool) {
    self.length = length
    self.isCut = isCut
    self.isOdd = isOdd
  }

  /// The note in a slot; nil if the slot contains an exchange or nothing.
  init?(slot: UnsafeMutableRawPointer?) {
    // An exchange is an object, and objects have even addresses.
    guard let bits = slot.map({ UInt(bitPattern: $0) }), bits & 1 == 1 else { return nil }
    self.init(length: Int(bits >> 3), isCut: bits & 2 != 0, isOdd: bits & 4 != 0)
  }

  /// The note as a slot's value.
  var slot: UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(
      bitPattern: UInt(length) << 3 | (isOdd ? 4 : 0) | (isCut ? 2 : 0) | 1)
  }
}
