import CausewaySystem

/// The shared values in one step of a runtime, or in its repetition on a copy of the state.
@MainActor
@usableFromInline
final class SharedStep {
  /// The operation that a visit performs on the shared values of the features.
  enum Visit {
    /// Reads the values that a copy of the state has.
    case collect
    /// Returns whether the state has an old value.
    case compare
    /// Replaces the old values.
    case take
  }

  /// The step whose handlers run; `nil` outside of trees that share values.
  ///
  /// Stored for each thread: a simulation has several worlds, and the main actor of each world has
  /// a thread of its own. ``perform(_:)`` keeps the step alive.
  static var current: SharedStep? {
    get { key.pointer.map { Unmanaged<SharedStep>.fromOpaque($0).takeUnretainedValue() } }
    set { key.pointer = newValue.map { Unmanaged.passUnretained($0).toOpaque() } }
  }

  private static let key = ThreadKey()
  /// Whether the program has a shared value.
  ///
  /// If not, no tree searches for shared values.
  static var isUsed = false

  private(set) var visit = Visit.compare
  /// The values that the step has changed.
  private(set) var changed: [any SharedContent] = []
  /// The values for a repetition, which must not change the real values; `nil` for a real step.
  private var copies: [ObjectIdentifier: any Sendable]?
  /// The runtime of the step, which takes later changes.
  private weak var sharer: (any Sharer)?

  /// Makes a step of a runtime.
  init(of sharer: any Sharer) {
    self.sharer = sharer
  }

  /// Makes a repetition of a step.
  private init() {
    copies = [:]
  }

  /// Runs handlers or updates.
  func perform<Result>(_ body: () -> Result) -> Result {
    let outer = Self.current
    defer { Self.current = outer }
    Self.current = self
    return body()
  }

  func value<Value>(of shared: SharedValue<Value>) -> Value {
    copies?[ObjectIdentifier(shared)] as? Value ?? shared.content
  }

  func set<Value>(_ shared: SharedValue<Value>, _ value: Value) {
    if copies != nil {
      copies?[ObjectIdentifier(shared)] = value
    } else if shared.replace(value), !changed.contains(where: { $0 === shared }) {
      changed.append(shared)
    }
  }

  /// Visits a part of a state that has a shared value.
  ///
  /// Returns whether it is an old value.
  func exchange<Root, Value>(
    _ state: UnsafeMutablePointer<Root>, _ part: StatePart<Root, Value>,
    _ shared: SharedValue<Value>
  ) -> Bool {
    if visit == .collect {
      copies?[ObjectIdentifier(shared)] = part.look(state) { $0.pointee }
      return false
    }
    if let sharer { shared.attach(sharer) }
    let value = self.value(of: shared)
    if part.look(state, { Sameness.areSame($0.pointee, value) }) { return false }
    if visit == .take { part.modify(state) { $0.pointee = value } }
    return true
  }

  /// Visits a part of a state that may have shared values.
  ///
  /// - Parameters:
  ///   - look: Visits the part without changing it.
  ///   - modify: Visits the part and changes it.
  func exchange(look: () -> Bool?, modify: () -> Void) -> Bool {
    guard visit == .take else { return look() ?? false }
    visit = .compare
    let isOld = look() ?? false
    visit = .take
    if isOld { modify() }
    return isOld
  }

  /// Replaces the old values in a state, and returns whether there were any.
  func take<State: Sendable>(
    into state: UnsafeMutablePointer<State>, _ exchange: SharedExchange<State>
  ) -> Bool {
    visit = .take
    defer { visit = .compare }
    return exchange.visit(state, self)
  }

  /// Whether a state has an old value.
  func isOld<State: Sendable>(
    _ state: UnsafeMutablePointer<State>, _ exchange: SharedExchange<State>
  ) -> Bool { exchange.visit(state, self) }

  /// Repeats handlers or updates on a copy of a state, with the shared values in that copy.
  static func repeating<State: Sendable, Result>(
    _ state: UnsafeMutablePointer<State>,
    _ exchange: SharedExchange<State>?,
    _ body: () -> Result
  ) -> Result {
    guard let exchange, isUsed else { return body() }
    let step = SharedStep()
    step.visit = .collect
    _ = exchange.visit(state, step)
    let result = step.perform(body)
    step.visit = .take
    _ = exchange.visit(state, step)
    return result
  }

  /// Returns a change that gives a state the shared values of another state.
  static func copying<State: Sendable>(
    from source: UnsafeMutablePointer<State>,
    _ exchange: SharedExchange<State>
  ) -> @MainActor (UnsafeMutablePointer<State>) -> Bool {
    let step = SharedStep()
    step.visit = .collect
    _ = exchange.visit(source, step)
    step.visit = .take
    return { state in
      _ = exchange.visit(state, step)
      return true
    }
  }
}
