/// An address of a comparable value, with the functions to compare it later.
///
/// The functions are made where the type is known, which specialises them for the type.
@usableFromInline
struct ObservedPlace {
  @usableFromInline let address: UnsafeRawPointer
  /// The number of bytes of the value, without the padding behind it.
  ///
  /// The memory behind the value may belong to another value, or may not be allocated. A function
  /// of the standard library that copies an array element copies the padding too.
  @usableFromInline let size: Int
  /// The number of bytes to allocate for a copy.
  @usableFromInline let stride: Int
  @usableFromInline let alignment: Int
  @usableFromInline let copy: (_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) -> Void
  @usableFromInline let areEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  @usableFromInline let destroy: (UnsafeMutableRawPointer) -> Void

  @inlinable
  init<Value: Equatable>(_ address: UnsafePointer<Value>) {
    self.address = UnsafeRawPointer(address)
    size = MemoryLayout<Value>.size
    stride = MemoryLayout<Value>.stride
    alignment = MemoryLayout<Value>.alignment
    copy = {
      $1.initializeMemory(as: Value.self, to: $0.assumingMemoryBound(to: Value.self).pointee)
    }
    areEqual = {
      $0.assumingMemoryBound(to: Value.self).pointee
        == $1.assumingMemoryBound(to: Value.self).pointee
    }
    destroy = { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
  }
}
