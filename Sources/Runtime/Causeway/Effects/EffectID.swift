/// The name of an effect, for policies and for cancelling it.
///
/// Any hashable value can be an id. An effect without a name is identified by the source location
/// of the call that made it. Policies compare ids, with one exception: they ignore nameless
/// ``EffectPolicy/parallel`` effects. An effect with another policy from the same place neither
/// cancels such an effect nor waits for it. ``Emission/cancel(_:)`` cancels it by its id in
/// ``ViewModel/runningEffects``.
public struct EffectID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  enum Storage: Sendable {
    case value(EffectName)
    case place(EffectPlace)
  }

  let storage: Storage

  /// Makes an id from a value.
  ///
  /// Equal values make equal ids. If the value is an id, the result is that id.
  public init(_ value: some Hashable & Sendable) {
    if let id = value as? EffectID {
      self = id
    } else {
      storage = .value(EffectName(value))
    }
  }

  /// Makes an id from a value; `nil` without a value.
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

  /// The value of the id; `nil` for the id of a source location.
  @usableFromInline var name: EffectName? {
    if case .value(let name) = storage { name } else { nil }
  }

  /// Whether the id is a source location.
  package var isNameless: Bool { place != nil }

  /// The source location of the call; `nil` for the id of a value.
  @usableFromInline var place: EffectPlace? {
    if case .place(let place) = storage { place } else { nil }
  }

  /// The value, or the file, line and column of the call.
  public var description: String {
    switch storage {
    case .value(let name): name.value as? String ?? ValueText.of(name.value)
    case .place(let place): "\(place):\(place.column)"
    }
  }

  /// The id in reports; if values are not shown, only the case or the type of the id's value.
  package func reportName(showsValues: Bool = BuildConfiguration.isDebug) -> String {
    guard !showsValues, let name else { return description }
    return "(\(CaseNames.of(name.value)))"
  }

  /// Whether both ids name the same effect.
  public static func == (left: EffectID, right: EffectID) -> Bool {
    switch (left.storage, right.storage) {
    case (.value(let left), .value(let right)):
      left === right || left.hash == right.hash && left.isEqual(to: right)
    case (.place(let left), .place(let right)):
      left == right
    default:
      false
    }
  }

  /// Hashes the value, or the line and column of the call.
  public func hash(into hasher: inout Hasher) {
    switch storage {
    case .value(let name): hasher.combine(name.hash)
    case .place(let place): hasher.combine(place)
    }
  }
}

extension EffectID {
  /// The id and the number of an effect.
  ///
  /// The number distinguishes effects with the same id.
  package func label(_ number: Int) -> String {
    "\(self) #\(number)"
  }
}
