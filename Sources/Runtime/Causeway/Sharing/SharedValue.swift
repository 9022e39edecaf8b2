public import Observation

/// A value that several features show and change, in one tree or in several.
///
/// ```swift
/// let meetings = SharedValue<[Meeting]>([])
///
/// // In the feature of the list, and in that of the detail:
/// Interact<State, Action>(initialValue: State()) { state, action in … }
///   .sharing(\.meetings, meetings)
/// ```
///
/// Each feature has the value as an ordinary part of its state: handlers and updates change it there,
/// views and tests read it there. A change reaches the other features of the same tree in the same
/// step, and other trees before the outermost `send` returns. A child that appears has the value from
/// the beginning.
///
/// The object holds the value. Pass it to the features like any other dependency. A test, a trial of
/// an exploration and a preview each make their own object, so they share nothing.
///
/// Isolation: the main actor.
@MainActor
public final class SharedValue<Value: Equatable & Sendable>: Observable {
  fileprivate(set) var content: Value
  private let registrar = ObservationRegistrar()
  private var sharers: [ObjectIdentifier: WeakSharer] = [:]
  private var sharerCount = 0
  /// The number of entries at which the entries of released runtimes are removed.
  private var sharerLimit = 8
  private var streams: [Int: AsyncStream<Value>.Continuation] = [:]
  private var streamCount = 0
  private let keeping: Keeping?

  /// Reads and writes the value where it is kept.
  private struct Keeping {
    let initial: Value
    let load: @MainActor () -> Value?
    let save: @MainActor (Value) -> Void
  }

  /// Makes a value that is kept in memory.
  public init(_ value: Value) {
    content = value
    keeping = nil
    SharedStep.isUsed = true
  }

  /// Makes a value that is kept elsewhere, such as in a table of a database.
  ///
  /// ```swift
  /// let store = ObservableStore<String, [Meeting]>(
  ///   backing: DatabaseBacking(service, table: "meetings"))
  /// let meetings = SharedValue([], load: { store["all"] }, save: { store["all"] = $0 })
  /// ```
  ///
  /// If `load` reads an observable object, a change of that object becomes the value in a later
  /// turn of the main actor. The features therefore also get a value that is loaded later, or that
  /// other code changes or removes.
  ///
  /// - Parameters:
  ///   - initial: The value while `load` returns `nil`.
  ///   - load: Returns the kept value; `nil` if there is none.
  ///   - save: Keeps a value. Called at the end of each step that has changed it. It must not wait;
  ///     a store writes in the background.
  public init(
    _ initial: Value, load: @escaping @MainActor () -> Value?,
    save: @escaping @MainActor (Value) -> Void
  ) {
    content = initial
    keeping = Keeping(initial: initial, load: load, save: save)
    SharedStep.isUsed = true
    follow()
  }

  isolated deinit {
    for stream in streams.values { stream.finish() }
  }

  /// The value.
  ///
  /// A change here reaches all features before the setter returns. In a handler, it reaches them at
  /// the end of the step.
  ///
  /// An observer that reads the value is notified when it changes.
  public var value: Value {
    get {
      registrar.access(self, keyPath: \.content)
      return SharedStep.current?.value(of: self) ?? content
    }
    set {
      if let step = SharedStep.current { return step.set(self, newValue) }
      if replace(newValue) { spread(except: nil) }
    }
  }

  /// Returns the value and then each of its changes, for effects and other actors.
  ///
  /// ```swift
  /// return .observe(meetings.values) { state, meetings in state.count = meetings.count }
  /// ```
  ///
  /// A slow consumer gets only the latest value. The stream ends when the object is released.
  public var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    streamCount += 1
    streams[streamCount] = continuation
    continuation.onTermination = { [weak self, number = streamCount] _ in
      Task { @MainActor [weak self] in self?.streams[number] = nil }
    }
    continuation.yield(value)
    return stream
  }

  /// Takes the kept value, now and after each change of it.
  private func follow() {
    guard let keeping else { return }
    let kept = withObservationTracking {
      keeping.load()
    } onChange: { [weak self] in
      Task { @MainActor [weak self] in self?.follow() }
    }
    if replace(kept ?? keeping.initial) { spread(except: nil, saves: false) }
  }

  /// Replaces the value, and returns whether it has changed.
  func replace(_ value: Value) -> Bool {
    if Sameness.areSame(content, value) { return false }
    content = value
    return true
  }

  /// Adds a runtime that takes each change.
  func attach(_ sharer: any Sharer) {
    if sharers[ObjectIdentifier(sharer)]?.sharer === sharer { return }
    if sharers.count >= sharerLimit {
      removeReleasedSharers()
      sharerLimit = 2 * sharers.count + 8
    }
    sharerCount += 1
    sharers[ObjectIdentifier(sharer)] = WeakSharer(number: sharerCount, sharer: sharer)
  }

  private func removeReleasedSharers() {
    sharers = sharers.filter { $0.value.sharer != nil }
  }
}

extension SharedValue: SharedContent {
  func spread(except changer: (any Sharer)?) { spread(except: changer, saves: true) }

  fileprivate func spread(except changer: (any Sharer)?, saves: Bool) {
    // First, because an observer may change the value again.
    if saves { keeping?.save(content) }
    // In the order in which the runtimes were added, which is the same in each run of the program.
    for each in sharers.values.sorted(by: { $0.number < $1.number }) {
      if let sharer = each.sharer, sharer !== changer { sharer.takeShared() }
    }
    // The observers are notified after the trees, because an observer may read a tree's state.
    registrar.withMutation(of: self, keyPath: \.content) {}
    for (_, stream) in streams.sorted(by: { $0.key < $1.key }) { stream.yield(content) }
  }
}

/// A shared value of any type.
@MainActor
protocol SharedContent: AnyObject {
  /// Passes a change on to the observers, and to all trees except the tree that made the change.
  func spread(except changer: (any Sharer)?)
}

/// A runtime whose features share values.
@MainActor
protocol Sharer: AnyObject {
  /// Takes changes that another tree, or something outside of all trees, has made.
  func takeShared()
}

private struct WeakSharer {
  let number: Int
  weak var sharer: (any Sharer)?
}
