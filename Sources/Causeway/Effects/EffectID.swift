/// The name of an effect, for policies and for cancelling it.
///
/// Any hashable value serves. Without a name, an effect is
/// identified by the place of the call that made it. Policies go by that, with one exception: a
/// nameless ``EffectPolicy/parallel`` effect has no rivals. One with another policy from the same
/// place neither cancels it nor waits for it. ``Emission/cancel(_:)`` does cancel it, by its id in
/// ``ViewModel/runningEffects``.
public struct EffectID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  enum Storage: Sendable {
    case value(EffectName)
    case place(EffectPlace)
  }

  let storage: Storage

  /// Makes an id from a value; equal values make equal ids, and an id makes itself.
  public init(_ value: some Hashable & Sendable) {
    if let id = value as? EffectID {
      self = id
    } else {
      storage = .value(EffectName(value))
    }
  }

  /// Makes an id from a value if there is one.
  @usableFromInline
  init?(optional value: (any Hashable & Sendable)?) {
    guard let value else { return nil }
    self.init(value)
  }

  /// Makes an id from a name.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  init(_ name: EffectName) {
    storage = .value(name)
  }

  init(_ place: EffectPlace) {
    storage = .place(place)
  }

  /// The value it was made from; `nil` for that of a place.
  var name: EffectName? {
    if case .value(let name) = storage { name } else { nil }
  }

  /// Whether it stands for the place of a call.
  package var isNameless: Bool { place != nil }

  /// The call that it was made for; `nil` for that of a value.
  var place: EffectPlace? {
    if case .place(let place) = storage { place } else { nil }
  }

  /// The value, or the file, line and column of the call.
  public var description: String {
    switch storage {
    case .value(let name): name.value as? String ?? ValueText.of(name.value)
    case .place(let place): "\(place):\(place.column)"
    }
  }

  /// Whether both name the same effect.
  public static func == (left: EffectID, right: EffectID) -> Bool {
    switch (left.storage, right.storage) {
    case (.value(let left), .value(let right)):
      left === right || AnyHashable(left.value) == AnyHashable(right.value)
    case (.place(let left), .place(let right)):
      left == right
    default:
      false
    }
  }

  /// Hashes the value, or the line and column of the call.
  public func hash(into hasher: inout Hasher) {
    switch storage {
    case .value(let name): hasher.combine(AnyHashable(name.value))
    case .place(let place): hasher.combine(place)
    }
  }
}

/// A value that names an effect, behind a reference because most effects have none.
final class EffectName: Sendable {
  let value: any Hashable & Sendable

  init(_ value: some Hashable & Sendable) {
    self.value = value
  }
}
