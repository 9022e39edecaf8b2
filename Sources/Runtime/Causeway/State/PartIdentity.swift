/// Reads the identity that distinguishes a part from another part at the same place.
///
/// The identity is the id of an `Identifiable` part, or the number of a ``PartWithBirth``.
@usableFromInline
struct PartIdentity<Part> {
  private let read: (UnsafeRawPointer) -> AnyHashable

  /// `nil` for a type without an identity.
  ///
  /// Checked at run time, because the generic parameter requires no conformance.
  ///
  /// - Parameter withBirth: Whether to distinguish parts by their births too. False for a derived
  ///   view state, because its parts are made anew for each publication.
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

/// Compares parts of a derived view state that are distinguished by their births.
///
/// Such a part is made anew for each publication, or copied from the state. So it is the same if it
/// has the same birth or the same value.
@usableFromInline
struct DerivedIdentity<Part> {
  private let areSame: (UnsafeRawPointer, UnsafeRawPointer) -> Bool

  /// `nil` for a type without births.
  @usableFromInline
  init?() {
    guard let type = Part.self as? any PartWithBirth.Type else { return nil }
    areSame = Self.comparison(of: type)
  }

  private static func comparison<Value: PartWithBirth>(
    of type: Value.Type
  ) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
    {
      let (left, right) = (
        $0.assumingMemoryBound(to: Value.self).pointee,
        $1.assumingMemoryBound(to: Value.self).pointee
      )
      return left.birthNumber == right.birthNumber || left == right
    }
  }

  @usableFromInline
  func callAsFunction(_ left: Part, _ right: Part) -> Bool {
    withUnsafePointer(to: left) { left in
      withUnsafePointer(to: right) { areSame(UnsafeRawPointer(left), UnsafeRawPointer($0)) }
    }
  }
}

/// A part with a number that distinguishes it from equal parts that were made separately.
protocol PartWithBirth: Equatable {
  var birthNumber: UInt64 { get }
}
