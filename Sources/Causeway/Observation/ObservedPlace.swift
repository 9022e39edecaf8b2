/// An address of a comparable value, with the functions to compare it later.
///
/// The functions are made where the type is known, which specialises them for the type.
@usableFromInline
struct ObservedPlace {
  @usableFromInline let address: UnsafeRawPointer
  @usableFromInline let size: Int
  @usableFromInline let alignment: Int
  @usableFromInline let copy: (_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) -> Void
  @usableFromInline let areEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  @usableFromInline let destroy: (UnsafeMutableRawPointer) -> Void

  @inlinable
  init<Value: Equatable>(_ address: UnsafePointer<Value>) {
    self.address = UnsafeRawPointer(address)
    size = MemoryLayout<Value>.size
    alignment = MemoryLayout<Value>.alignment
    copy = {
      $1.initializeMemory(as: Value.self, from: $0.assumingMemoryBound(to: Value.self), count: 1)
    }
    areEqual = {
      $0.assumingMemoryBound(to: Value.self).pointee
        == $1.assumingMemoryBound(to: Value.self).pointee
    }
    destroy = { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
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
