/// An interactor tree flattened into an initial value and one handler.
///
/// It holds no mutable state: keys, timers and tasks belong to the runtime that runs it. The
/// modifiers of ``Interactor`` return it, so their types do not grow with their number.
public struct ResolvedInteractor<State: Sendable, Action: Sendable>: Interactor {
  /// Changes the state in place for an action and says which effects that starts.
  public typealias Handler = @MainActor (inout State, Action) -> Emission<State, Action>

  /// The state that a view model starts with, unless it is given another one.
  public var initialValue: State { initial.value }
  @usableFromInline let initial: InitialValue<State>
  @usableFromInline let handle: PlacedHandler
  /// Applies an update of an effect where an `onChange` wants to know of it; usually `nil`.
  @usableFromInline let updater: Updater?

  /// Makes a resolved interactor; a primitive returns this from ``Interactor/resolve()``.
  ///
  /// - Parameters:
  ///   - initialValue: The state to start with.
  ///   - handler: Called on the main actor, once for each action.
  @inlinable
  public init(initialValue: State, handler: @escaping Handler) {
    self.init(initial: InitialValue(initialValue), updater: nil) { handler(&$0.pointee, $1) }
  }

  @inlinable
  init(
    initial: InitialValue<State>, updater: Updater? = nil, handle: @escaping PlacedHandler
  ) {
    self.initial = initial
    self.updater = updater
    self.handle = handle
  }

  /// It is resolved already.
  @inlinable
  public func resolve() -> ResolvedInteractor<State, Action> {
    self
  }
}

extension ResolvedInteractor {
  /// An interactor that does nothing and has no initial value.
  @usableFromInline
  static var inert: ResolvedInteractor {
    ResolvedInteractor(initial: InitialValue()) { _, _ in .state }
  }

  /// A handler on a state's place in memory.
  ///
  /// A child's state lies at an offset in its parent's. Reaching it from an `inout` parameter
  /// takes a closure, and one that is isolated to the main actor is checked each time the
  /// standard library calls it. A pointer takes an addition.
  @usableFromInline typealias PlacedHandler =
    @MainActor (UnsafeMutablePointer<State>, Action) -> Emission<State, Action>
  /// An update of the state that an effect sent.
  @usableFromInline typealias Update =
    @MainActor (UnsafeMutablePointer<State>) -> Emission<State, Action>
  @usableFromInline typealias Updater =
    @MainActor (UnsafeMutablePointer<State>, Update) -> Emission<State, Action>

  /// Applies an update and whatever follows from it.
  @inlinable
  @MainActor
  func apply(_ update: Update, to state: UnsafeMutablePointer<State>) -> Emission<State, Action> {
    if let updater { return updater(state, update) }
    return update(state)
  }
}

/// An initial state behind a reference.
///
/// Interactors are copied when they are composed, and each modifier keeps the one that it
/// modifies: with the state in place, a large one would be on the stack and in memory many times.
@usableFromInline
final class InitialValue<State: Sendable>: Sendable {
  private let known: State?

  @usableFromInline
  init(_ value: State) {
    known = value
  }

  /// For a part of a body that a condition has left out.
  init() {
    known = nil
  }

  @usableFromInline var isKnown: Bool { known != nil }

  @usableFromInline var value: State {
    // Not `precondition`, which prints nothing in a release build.
    known
      ?? {
        fatalError(
          "A body begins with an `if` or a `for` that left nothing. Put an interactor before it.")
      }()
  }
}
