/// A value that is loaded: not yet, at the moment, with success or without.
///
/// The last value stays while it is loaded again and when that fails, so that a screen can go on
/// showing it.
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
public struct Loadable<Value: Sendable>: Sendable {
  /// What goes on, without the value.
  public enum Phase: Hashable, Sendable {
    /// Nothing was loaded yet, or what was loaded was reset.
    case idle
    /// The value is being loaded.
    case loading
    /// The value was loaded.
    case loaded
    /// Loading has failed, for the reason given.
    case failed(String)
  }

  /// What goes on.
  public private(set) var phase: Phase
  /// The last value that was loaded; `nil` before the first.
  public private(set) var value: Value?

  /// Makes one that nothing was loaded into.
  public init() {
    phase = .idle
  }

  /// Makes one with a value, as if that had been loaded.
  public init(_ value: Value) {
    phase = .loaded
    self.value = value
  }

  /// Whether the value is being loaded.
  public var isLoading: Bool { phase == .loading }

  /// Why loading has failed; `nil` if it has not.
  public var failure: String? {
    if case .failed(let reason) = phase { reason } else { nil }
  }

  /// Marks the value as being loaded, and keeps the last one.
  public mutating func begin() {
    phase = .loading
  }

  /// Takes a value that was loaded.
  public mutating func finish(_ value: Value) {
    self.value = value
    phase = .loaded
  }

  /// Marks the loading as failed, and keeps the last value.
  ///
  /// - Parameter error: Its description is the reason.
  public mutating func fail(_ error: any Error) {
    phase = .failed("\(error)")
  }

  /// Ends a loading that was cancelled: back to the last value, or to nothing.
  public mutating func cancel() {
    if isLoading { phase = value == nil ? .idle : .loaded }
  }

  /// Forgets the value.
  public mutating func reset() {
    self = Loadable()
  }

  /// Changes the last value in place; does nothing while there is none.
  public mutating func update(_ change: (inout Value) throws -> Void) rethrows {
    guard var value else { return }
    // Given up first, so that an array in it is not copied when it is changed.
    self.value = nil
    defer { self.value = value }
    try change(&value)
  }
}

extension Loadable: Equatable where Value: Equatable {}
extension Loadable: Hashable where Value: Hashable {}
