/// Reads what distinguishes a part from another part at the same place: the id of a part that is
/// `Identifiable`.
@usableFromInline
struct PartIdentity<Part> {
  private let read: (UnsafeRawPointer) -> AnyHashable

  /// `nil` for a type without an identity.
  ///
  /// Checked at run time, because generic code cannot use the conformance.
  ///
  /// - Parameter withBirth: Whether to distinguish parts by their births too. Not for a derived view
  ///   state, whose parts are made anew for each publication.
  @usableFromInline
  init?(withBirth: Bool = false) {
    if withBirth, let type = Part.self as? any PartWithBirth.Type {
      read = Self.reader(of: type)
    } else if let type = Part.self as? any Identifiable.Type {
      read = Self.reader(of: type)
    } else {
      return nil
    }
  }

  private static func reader<Value: Identifiable>(
    of type: Value.Type
  ) -> (UnsafeRawPointer) -> AnyHashable {
    { AnyHashable($0.assumingMemoryBound(to: Value.self).pointee.id) }
  }

  private static func reader<Value: PartWithBirth>(
    of type: Value.Type
  ) -> (UnsafeRawPointer) -> AnyHashable {
    { AnyHashable($0.assumingMemoryBound(to: Value.self).pointee.birthNumber) }
  }

  @usableFromInline
  func callAsFunction(_ place: UnsafePointer<Part>) -> AnyHashable {
    read(UnsafeRawPointer(place))
  }

  @usableFromInline
  func id(of part: Part) -> AnyHashable {
    withUnsafePointer(to: part) { self($0) }
  }
}

/// A part whose value tells whether it was made separately from an equal one.
protocol PartWithBirth {
  var birthNumber: UInt64 { get }
}
