/// Tells whether a value has really changed.
///
/// A `==` alone is not sufficient: a NaN is not equal to itself.
@usableFromInline
enum Sameness {
  /// Whether two values are equal, or have the same bytes.
  @inlinable
  static func areSame<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
    left == right || haveSameBytes(left, right)
  }

  /// Whether two values have the same bytes: the same number, or the same storage.
  ///
  /// Bytes between the fields may differ. Then the values count as different.
  @usableFromInline
  @inline(never)
  static func haveSameBytes<Value>(_ left: Value, _ right: Value) -> Bool {
    let size = MemoryLayout<Value>.size
    return withUnsafeBytes(of: left) { left in
      withUnsafeBytes(of: right) { right in
        guard size > 0, let left = left.baseAddress, let right = right.baseAddress
        else { return false }
        return left.hasSameBytes(as: right, count: size)
      }
    }
  }
}

extension UnsafeRawPointer {
  /// Compares memory word by word.
  ///
  /// The standard library has no function for this.
  func hasSameBytes(as other: UnsafeRawPointer, count: Int) -> Bool {
    var offset = 0
    while offset &+ 8 <= count {
      if loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        != other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      {
        return false
      }
      offset &+= 8
    }
    while offset < count {
      if load(fromByteOffset: offset, as: UInt8.self)
        != other.load(fromByteOffset: offset, as: UInt8.self)
      {
        return false
      }
      offset &+= 1
    }
    return true
  }
}
