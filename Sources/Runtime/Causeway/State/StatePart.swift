/// A part of a state, accessed by its offset if it is stored in place.
///
/// Access through a writable key path costs about 80 ns; adding the offset of a stored property
/// costs nothing.
@usableFromInline
struct StatePart<Root, Part> {
  @usableFromInline let keyPath: WritableKeyPath<Root, Part>
  @usableFromInline let offset: Int?

  @inlinable
  init(_ keyPath: WritableKeyPath<Root, Part>) {
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath)
  }

  /// Calls `body` with the address of the part, which is valid only during the call.
  @inlinable
  @MainActor
  func modify<Result>(
    _ root: UnsafeMutablePointer<Root>,
    _ body: @MainActor (UnsafeMutablePointer<Part>) -> Result
  ) -> Result {
    guard let offset else { return body(&root.pointee[keyPath: keyPath]) }
    return body(
      (UnsafeMutableRawPointer(root) + offset).assumingMemoryBound(to: Part.self))
  }

  /// Calls `body` with the address of the part, or of a copy if the part is computed.
  ///
  /// The copy is necessary because a read must not write the part.
  @inlinable
  func look<Result>(
    _ root: UnsafeMutablePointer<Root>, _ body: (UnsafeMutablePointer<Part>) -> Result
  ) -> Result {
    guard let offset else {
      var copy = root.pointee[keyPath: keyPath]
      return body(&copy)
    }
    return body((UnsafeMutableRawPointer(root) + offset).assumingMemoryBound(to: Part.self))
  }
}
