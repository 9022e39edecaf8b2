/// A part of a state that may be missing.
///
/// An existing part is mutated in place.
@usableFromInline
struct OptionalPart<Root: Sendable, Part: Sendable> {
  @usableFromInline let storage: Storage

  @usableFromInline
  enum Storage {
    case optional(StatePart<Root, Part?>)
    case enumeration(
      extract: @MainActor (Root) -> Part?, embed: @MainActor (Part) -> Root)
    case optionalCase(modify: Visit, look: Visit, remove: Removal)
  }

  /// Calls the body with the address of the part; does nothing if the part is missing.
  @usableFromInline typealias Visit =
    @MainActor (UnsafeMutablePointer<Root>, (UnsafeMutablePointer<Part>) -> Void) -> Void
  @usableFromInline typealias Removal = @MainActor (UnsafeMutablePointer<Root>) -> Void

  /// A part in an optional property.
  @inlinable
  @MainActor
  init(_ keyPath: WritableKeyPath<Root, Part?>) {
    storage = .optional(StatePart(keyPath))
  }

  /// A part in an enum case.
  @inlinable
  @MainActor
  init(
    extract: @escaping (Root) -> Part?, embed: @escaping @MainActor (Part) -> Root
  ) {
    storage = .enumeration(extract: { extract($0) }, embed: embed)
  }

  /// A part in a case of an optional enum.
  @inlinable
  @MainActor
  init<Whole>(
    of keyPath: WritableKeyPath<Root, Whole?>,
    extract: @escaping (Whole) -> Part?, embed: @escaping @MainActor (Part) -> Whole
  ) {
    let whole = StatePart(keyPath)
    storage = .optionalCase(
      modify: { root, body in
        whole.modify(root) { place in
          guard var part = place.pointee.flatMap(extract) else { return }
          // The enum releases its payload first. Otherwise the mutation would copy arrays in the
          // payload.
          place.pointee = nil
          body(&part)
          place.pointee = embed(part)
        }
      },
      look: { root, body in
        whole.look(root) { place in
          if var copy = place.pointee.flatMap(extract) { body(&copy) }
        }
      },
      remove: { root in whole.modify(root) { $0.pointee = nil } })
  }

  /// Calls `body` with the address of the part.
  ///
  /// Returns `nil` without calling `body` if the part is missing.
  @inlinable
  @MainActor
  func modify<Result>(
    _ root: UnsafeMutablePointer<Root>,
    _ body: @MainActor (UnsafeMutablePointer<Part>) -> Result
  ) -> Result? {
    switch storage {
    case .optional(let part):
      return part.modify(root) { place in
        if place.pointee == nil { return nil }
        // The value is not `nil`, as checked above. A binding to a variable would copy the value.
        // swift-format-ignore: NeverForceUnwrap
        return body(&place.pointee!)
      }
    case .enumeration(let extract, let embed):
      guard var value = extract(root.pointee) else { return nil }
      // The enum releases its payload first. Otherwise the mutation would copy arrays in the
      // payload.
      root.deinitialize(count: 1)
      defer { root.initialize(to: embed(value)) }
      return body(&value)
    case .optionalCase(let modify, _, _):
      var result: Result?
      modify(root) { result = body($0) }
      return result
    }
  }

  /// Whether the state can represent a missing part; false for an enum case.
  @inlinable var isRemovable: Bool {
    if case .enumeration = storage { false } else { true }
  }

  /// Sets an optional part to `nil`, or the optional enum that contains the part.
  @inlinable
  @MainActor
  func remove(from root: UnsafeMutablePointer<Root>) {
    switch storage {
    case .optional(let part): part.modify(root) { $0.pointee = nil }
    case .optionalCase(_, _, let remove): remove(root)
    case .enumeration: break
    }
  }

  /// Calls `body` with the address of the part, or of a copy if the part is in an enum case.
  ///
  /// Returns `nil` without calling `body` if the part is missing.
  @inlinable
  @MainActor
  func look<Result>(
    _ root: UnsafeMutablePointer<Root>, _ body: (UnsafeMutablePointer<Part>) -> Result
  ) -> Result? {
    switch storage {
    case .optional(let part):
      return part.look(root) { place in
        if place.pointee == nil { return nil }
        // The value is not `nil`, as checked above. A binding to a variable would copy the value.
        // swift-format-ignore: NeverForceUnwrap
        return body(&place.pointee!)
      }
    case .enumeration(let extract, _):
      guard var copy = extract(root.pointee) else { return nil }
      return body(&copy)
    case .optionalCase(_, let look, _):
      var result: Result?
      look(root) { result = body($0) }
      return result
    }
  }
}
