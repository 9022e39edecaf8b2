/// The screens of a navigation stack above its root, as a part of a state.
///
/// ```swift
/// state.path.push(.pier(Pier.State(number: 7)))
/// state.path.pop()
/// state.path = [.piers(Piers.State()), .pier(Pier.State(number: 7))]  // a deep link
/// ```
///
/// A screen is usually a case of an enum, with the state of its feature. Its id, such as the number
/// of a pier, identifies the screen. The id is read when the screen enters the path. A
/// path may contain several screens with the same id; see ``ScreenID``.
///
/// A pushed screen is always a new screen, even if a screen with the same id was popped before. A
/// screen that is also in a newly made and assigned path stays the same screen, and its effects
/// continue. The effects of all other screens are cancelled.
public struct ScreenPath<Screen: Identifiable & Sendable>: Sendable where Screen.ID: Sendable {
  /// The id of a screen in a path.
  public typealias ID = ScreenID<Screen.ID>

  /// A screen with its id.
  public struct Entry: Identifiable, Sendable {
    /// The id of the screen in the path.
    public let id: ID
    /// The screen.
    public var screen: Screen
    /// Distinguishes the screen from an earlier one with the same id; not a part of the value.
    @usableFromInline var birth = RowBirth(lineage: 0, number: 0)

    private enum CodingKeys: CodingKey {
      case id, screen
    }
  }

  // This property is separate from `entries`, because inlined code changes it.
  @usableFromInline var storage: IdentifiedArray<ID, Entry>
  /// A path and its copies have the same number.
  @usableFromInline let lineage: UInt64

  /// The screens with their ids, from bottom to top.
  public var entries: IdentifiedArray<ID, Entry> { storage }

  /// Makes a path that shows the root.
  @inlinable
  public init() {
    storage = IdentifiedArray(id: { $0.id })
    lineage = IdentifiedArrayVersion.next()
  }

  /// Makes a path of screens, from bottom to top.
  ///
  /// Complexity: O(*n*²) in the number of screens with the same id.
  @inlinable
  public init(_ screens: some Sequence<Screen>) {
    self.init()
    for screen in screens { push(screen) }
  }

  /// The screens, from bottom to top.
  ///
  /// Complexity: O(*n*).
  public var screens: [Screen] { storage.map(\.screen) }

  /// The ids of the screens, from bottom to top.
  ///
  /// Complexity: O(*n*).
  public var ids: [ID] { storage.ids }

  /// The number of screens above the root.
  public var count: Int { storage.count }

  /// Whether the root is shown.
  public var isEmpty: Bool { storage.isEmpty }

  /// The screen that is shown, or `nil` for the root.
  public var last: Screen? { storage.last?.screen }

  /// The screen with an id, or `nil`.
  ///
  /// Setting `nil` removes only this screen. A value for an id that is not in the path is ignored.
  ///
  /// Complexity: O(1); removing is O(*n*).
  public subscript(id id: ID) -> Screen? {
    get { storage[id: id]?.screen }
    _modify {
      let position = storage.index(id: id)
      let birth = position.map { storage[$0].birth }
      var screen = storage.takeOut(position)?.screen
      defer {
        let entry = birth.flatMap { birth in
          screen.map { Entry(id: id, screen: $0, birth: birth) }
        }
        storage.putBack(entry, id: id, at: position)
      }
      yield &screen
    }
  }

  /// Pushes a screen above all others, and returns its id.
  ///
  /// Complexity: O(1); O(*n*) in the number of screens with the same id.
  @discardableResult
  public mutating func push(_ screen: Screen) -> ID {
    var id = ID(screen.id)
    while storage.contains(id: id) { id = ID(id.base, copy: id.copy + 1) }
    append(screen, id)
    return id
  }

  private mutating func append(_ screen: Screen, _ id: ID) {
    let birth = RowBirth(lineage: lineage, number: IdentifiedArrayVersion.next())
    _ = storage.append(Entry(id: id, screen: screen, birth: birth))
  }

  /// Removes the screen that is shown, and returns it; `nil` for the root.
  @discardableResult
  public mutating func pop() -> Screen? {
    guard let last = storage.last else { return nil }
    return storage.remove(id: last.id)?.screen
  }

  /// Removes the screens above a screen.
  ///
  /// Does nothing if the screen is not in the path.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameter id: The id of the screen to show; `nil` for the root.
  public mutating func popTo(_ id: ID?) {
    guard let id else { return Self.removeAll(from: 0, in: &storage) }
    if let position = storage.index(id: id) { Self.removeAll(from: position + 1, in: &storage) }
  }

  /// Removes the screens above the topmost screen that satisfies a condition.
  ///
  /// Does nothing if there is no such screen.
  ///
  /// Complexity: O(*n*).
  public mutating func popTo(where condition: (Screen) throws -> Bool) rethrows {
    if let entry = try storage.last(where: { try condition($0.screen) }) { popTo(entry.id) }
  }

  /// Removes all screens, which shows the root.
  ///
  /// Complexity: O(*n*).
  public mutating func popToRoot() {
    popTo(nil)
  }

  /// Removes a screen and the screens above it.
  ///
  /// Does nothing if the screen is not in the path.
  @usableFromInline
  static func pop(from id: ID, in storage: inout IdentifiedArray<ID, Entry>) {
    if let position = storage.index(id: id) { removeAll(from: position, in: &storage) }
  }

  private static func removeAll(
    from position: Int, in storage: inout IdentifiedArray<ID, Entry>
  ) {
    for id in storage.ids[position...].reversed() { storage.remove(id: id) }
  }
}

extension ScreenPath: ExpressibleByArrayLiteral {
  /// Makes a path of screens, from bottom to top.
  @inlinable
  public init(arrayLiteral screens: Screen...) {
    self.init(screens)
  }
}

extension ScreenPath.Entry: CustomReflectable {
  /// The id and the screen.
  public var customMirror: Mirror {
    Mirror(self, children: ["id": id, "screen": screen], displayStyle: .struct)
  }
}

extension ScreenPath: CustomReflectable {
  /// The entries in order, as in the mirror of an `Array`.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: storage, displayStyle: .collection)
  }
}

extension ScreenPath.Entry: Equatable where Screen: Equatable {
  /// Whether both have the same id and equal screens.
  public static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.screen == right.screen
  }
}

extension ScreenPath: Equatable where Screen: Equatable {
  /// Whether both paths have equal screens with the same ids, in the same order.
  public static func == (left: Self, right: Self) -> Bool {
    left.storage == right.storage
  }
}

extension ScreenPath.Entry: Encodable where Screen: Encodable, Screen.ID: Encodable {}
extension ScreenPath.Entry: Decodable where Screen: Decodable, Screen.ID: Decodable {}

extension ScreenPath: Encodable where Screen: Encodable, Screen.ID: Encodable {
  /// Encodes the screens with their ids, in order, as an `Array` does.
  public func encode(to encoder: any Encoder) throws {
    try storage.encode(to: encoder)
  }
}

extension ScreenPath: Decodable where Screen: Decodable, Screen.ID: Decodable {
  /// Decodes the screens with their ids.
  ///
  /// - Throws: The errors of the decoder and of the screens, and `DecodingError` if two screens
  ///   have the same id.
  public init(from decoder: any Decoder) throws {
    self.init()
    for entry in try IdentifiedArray<ID, Entry>(from: decoder) { append(entry.screen, entry.id) }
  }
}
