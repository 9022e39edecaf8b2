/// A value that is loaded asynchronously: idle, loading, loaded or failed.
///
/// The last value is kept during a reload and after a failed reload. A screen can continue to show
/// it.
///
/// ```swift
/// struct State { var items = Loadable<[Item]>() }
///
/// case .appeared:
///   state.items.begin()
///   return .perform(.latest) { send in
///     let items = try await api.items()
///     await send { $0.items.finish(items) }
///   } catch: { state, error in
///     state.items.fail(error)
///   }
/// ```
///
/// A decoded value is not loading. The effect that loaded the value has ended with the program that
/// encoded it, so the value can be loaded again.
public struct Loadable<Value: Sendable>: Sendable {
  /// The loading state, without the value.
  public enum Phase: Hashable, Codable, Sendable {
    /// No value was loaded yet, or the value was reset.
    case idle
    /// The value is being loaded.
    case loading
    /// The value was loaded.
    case loaded
    /// Loading has failed, with the given reason.
    case failed(String)
  }

  /// The loading state.
  public private(set) var phase: Phase
  /// The last loaded value; `nil` before the first value was loaded.
  public private(set) var value: Value?

  private enum CodingKeys: CodingKey {
    case phase, value
  }

  /// Makes an idle value.
  public init() {
    phase = .idle
  }

  /// Makes a loaded value.
  public init(_ value: Value) {
    phase = .loaded
    self.value = value
  }

  /// Whether the value is being loaded.
  public var isLoading: Bool { phase == .loading }

  /// The reason of a failure; `nil` if loading has not failed.
  public var failure: String? {
    if case .failed(let reason) = phase { reason } else { nil }
  }

  /// Marks the value as loading, and keeps the last value.
  public mutating func begin() {
    phase = .loading
  }

  /// Stores a loaded value.
  public mutating func finish(_ value: Value) {
    self.value = value
    phase = .loaded
  }

  /// Marks the loading as failed, and keeps the last value.
  ///
  /// - Parameter error: Its description becomes the reason.
  public mutating func fail(_ error: any Error) {
    phase = .failed("\(error)")
  }

  /// Ends a cancelled loading, and returns to the last value or to idle.
  public mutating func cancel() {
    if isLoading { phase = value == nil ? .idle : .loaded }
  }

  /// Removes the value.
  public mutating func reset() {
    self = Loadable()
  }

  /// Changes the last value in place.
  ///
  /// Does nothing without a value.
  public mutating func update(_ change: (inout Value) throws -> Void) rethrows {
    guard var value else { return }
    // The property is set to `nil` first. Otherwise the change would copy an array in the value.
    self.value = nil
    defer { self.value = value }
    try change(&value)
  }
}

extension Loadable: Equatable where Value: Equatable {}
extension Loadable: Hashable where Value: Hashable {}
extension Loadable: Encodable where Value: Encodable {}

extension Loadable: Decodable where Value: Decodable {
  /// Decodes a value that is not being loaded.
  ///
  /// The effect that loaded the value has ended with the program that encoded it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    phase = try container.decode(Phase.self, forKey: .phase)
    value = try container.decodeIfPresent(Value.self, forKey: .value)
    cancel()
  }
}
