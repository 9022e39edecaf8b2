/// Reads the id of a part that is `Identifiable`.
@usableFromInline
struct PartIdentity<Part> {
  private let read: (UnsafeRawPointer) -> AnyHashable

  /// `nil` for a type that is not `Identifiable`.
  ///
  /// Checked at run time, because generic code cannot use the conformance.
  @usableFromInline
  init?() {
    guard let type = Part.self as? any Identifiable.Type else { return nil }
    read = Self.reader(of: type)
  }

  private static func reader<Value: Identifiable>(
    of type: Value.Type
  ) -> (UnsafeRawPointer) -> AnyHashable {
    { AnyHashable($0.assumingMemoryBound(to: Value.self).pointee.id) }
  }

  @usableFromInline
  func callAsFunction(_ place: UnsafePointer<Part>) -> AnyHashable {
    read(UnsafeRawPointer(place))
  }
}
