/// A part of a state that may be missing, mutated in place when it is there.
@usableFromInline
struct OptionalPart<Root: Sendable, Part: Sendable> {
  @usableFromInline let read: @MainActor (Root) -> Part?
  @usableFromInline let storage: Storage

  @usableFromInline
  enum Storage {
    case optional(StatePart<Root, Part?>)
    case enumeration(
      extract: @MainActor (Root) -> Part?, embed: @MainActor (Part) -> Root)
  }

  /// A part in an optional property.
  @inlinable
  @MainActor
  init(_ keyPath: WritableKeyPath<Root, Part?>) {
    let part = StatePart(keyPath)
    read = { part.read($0) }
    storage = .optional(part)
  }

  /// A part in an enum case.
  @inlinable
  @MainActor
  init(
    extract: @escaping (Root) -> Part?, embed: @escaping @MainActor (Part) -> Root
  ) {
    let extract: @MainActor (Root) -> Part? = { extract($0) }
    read = extract
    storage = .enumeration(extract: extract, embed: embed)
  }

  /// Calls `body` with the place of the part; `nil`, and no call, where it is missing.
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
        // Unwrapped in place, because binding it to a variable would copy it; not nil, see above.
        // swift-format-ignore: NeverForceUnwrap
        return body(&place.pointee!)
      }
    case .enumeration(let extract, let embed):
      guard var value = extract(root.pointee) else { return nil }
      // The enum lets go of its payload, so that arrays in it are not copied when it is mutated.
      root.deinitialize(count: 1)
      defer { root.initialize(to: embed(value)) }
      return body(&value)
    }
  }

  /// How the child's effects reach it, as long as it is the same child.
  @usableFromInline
  @MainActor
  func lens<ParentAction, Action>(
    _ child: ResolvedInteractor<Part, Action>,
    _ scope: EffectScope,
    identity: @escaping @MainActor (Part) -> EffectID?,
    embed: @escaping @MainActor (Action) -> ParentAction
  ) -> ChildLens<Root, ParentAction, Part, Action> {
    let read = self.read
    return ChildLens(
      child: child, scope: scope,
      presence: ScopePresence(
        stamp: { root in
          guard read(root) != nil else { return 0 }
          // Of a child with an id only the id tells, and not its hash, which others may share.
          return scope.row == nil ? 1 : nil
        },
        isPresent: { root in
          guard let part = read(root) else { return false }
          return identity(part) == scope.row
        }),
      read: read,
      modify: { state, update in modify(state) { update($0) } },
      embed: embed)
  }
}
