/// A part of a state that may be missing.
///
/// An existing part is mutated in place.
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
      // The enum releases its payload before the mutation; arrays in the payload are then not
      // copied.
      root.deinitialize(count: 1)
      defer { root.initialize(to: embed(value)) }
      return body(&value)
    }
  }

  /// Whether the state can represent a missing part; false for an enum case.
  var isRemovable: Bool {
    if case .optional = storage { true } else { false }
  }

  /// Makes an optional part `nil`.
  @MainActor
  func remove(from root: UnsafeMutablePointer<Root>) {
    if case .optional(let part) = storage { part.modify(root) { $0.pointee = nil } }
  }

  /// Calls `body` with the address of the part, or of a copy if the part is in an enum case.
  ///
  /// Returns `nil` without calling `body` if the part is missing.
  @MainActor
  func look(
    _ root: UnsafeMutablePointer<Root>, _ body: (UnsafeMutablePointer<Part>) -> UInt64?
  ) -> UInt64? {
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
    }
  }
}

/// The lens of a child that exists while an optional part of the state exists.
@usableFromInline
final class OptionalLens<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
>: ChildLens<ParentState, ParentAction, State, Action> {
  private let site: CompositionSite
  private let child: ResolvedInteractor<State, Action>
  private let part: OptionalPart<ParentState, State>
  private let identity: PartIdentity<State>?
  private let embedAction: @MainActor (Action) -> ParentAction

  @usableFromInline
  init(
    _ site: CompositionSite, _ child: ResolvedInteractor<State, Action>,
    _ part: OptionalPart<ParentState, State>, _ identity: PartIdentity<State>?, id: AnyHashable?,
    embed: @escaping @MainActor (Action) -> ParentAction
  ) {
    self.site = site
    self.child = child
    self.part = part
    self.identity = identity
    embedAction = embed
    super.init(row: id.map { ChildID($0) }, canGo: true)
  }

  override var composition: ObjectIdentifier { ObjectIdentifier(site) }

  override var resolvedChild: ResolvedInteractor<State, Action> { child }

  override func value(in parent: ParentState) -> State? {
    guard let value = part.read(parent) else { return nil }
    if let identity, withUnsafePointer(to: value, { identity($0) }) != row?.value { return nil }
    return value
  }

  override func look(
    _ parent: UnsafeMutablePointer<ParentState>, _ body: (UnsafeMutablePointer<State>) -> UInt64?
  ) -> UInt64? {
    part.look(parent) { place in
      // A new id means a new child.
      if let identity, identity(place) != row?.value { return nil }
      return body(place)
    }
  }

  override func modify(
    _ parent: UnsafeMutablePointer<ParentState>, _ update: Update
  ) -> Emission<State, Action>? {
    part.modify(parent) { update($0) }
  }

  override var isRemovable: Bool { part.isRemovable }

  override func remove(from parent: UnsafeMutablePointer<ParentState>) {
    if look(parent, { _ in 1 }) != nil { part.remove(from: parent) }
  }

  override func embed(_ action: Action) -> ParentAction {
    embedAction(action)
  }
}

/// Keeps the lens of a child without an id, for its later emissions.
///
/// The lens is not made with the composition, because the child must not be resolved too early.
@MainActor
@usableFromInline
final class OptionalLensCache<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
> {
  @usableFromInline typealias Lens = OptionalLens<ParentState, ParentAction, State, Action>

  private var lens: Lens?

  @usableFromInline
  init() {}

  /// Returns the lens of the child with an id, or of the child without an id.
  @usableFromInline
  func lens(_ id: AnyHashable?, make: () -> Lens) -> Lens {
    // A lens with an id is not kept, because the id may retain an object.
    if id != nil { return make() }
    if let lens { return lens }
    let new = make()
    lens = new
    return new
  }
}

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
