private import Synchronization

/// Everything that one action started: its effects, the effects of their actions, and so on.
///
/// It counts pending work. An ``ActionTask`` waits for that work or cancels it.
@MainActor
@usableFromInline
final class Cascade {
  /// The number of the step that started the cascade; `nil` until that step has been handled.
  var origin: Int?
  private var pending = 0
  // Unchecked: the list is used only on the main actor, and no other code uses it while it
  // changes.
  @exclusivity(unchecked) private var effects = EffectList()
  private var waiters: [CheckedContinuation<Void, Never>] = []
  /// The number of pending pieces of work, except observations and the work that they started.
  ///
  /// Only the outermost cascade counts, for itself and its parts.
  private var counted = 0
  /// The closures to call when no counted work is pending any more; see ``whenCountedEnded(_:)``.
  private var answers: [@MainActor () -> Void] = []
  /// The outermost cascade; `nil` if this is the outermost one.
  private let root: Cascade?
  /// Whether this part contains an observation and the work that it starts.
  let isObservation: Bool
  /// Whether a later part of a sequence waits for this part.
  ///
  /// Observations in it are then counted, because the later part cannot begin before they end.
  private let isFollowed: Bool
  /// Whether the cascade was cancelled.
  ///
  /// A cancelled cascade starts no further effects.
  private(set) var isCancelled = false
  /// Whether the sequence ends: an effect of this part was cancelled, was dropped or has failed.
  private(set) var isBroken = false
  /// Whether all sequences around this part were ended with it, regardless of their scopes.
  private var hasBrokenOuterSequences = false
  /// The scope of the sequence that this cascade is a part of.
  private var scope: EffectScope?
  private var parts: [Cascade] = []
  /// The index in the `parts` of the whole cascade.
  private var partPosition = 0
  /// The cascade of the whole sequence, if this cascade is a part of it.
  ///
  /// The reference is released at the end of this part. Otherwise, freeing a long chain would
  /// recurse.
  private var whole: Cascade?
  /// The innermost group that started this cascade; `nil` outside of groups.
  ///
  /// The reference is weak for the same reason. The registry retains the group.
  private(set) weak var group: Effect?
  /// The cascades whose cancellation was requested, and that the main actor has not cancelled yet.
  private static nonisolated let requests = Mutex<[Cascade]>([])
  /// Whether there are requests; read without the lock.
  private static nonisolated let hasRequests = Atomic(false)
  /// Called when no work is pending any more.
  var onFinish: (() -> Void)?

  init(
    origin: Int? = nil, partOf whole: Cascade? = nil, isObservation: Bool = false,
    isFollowed: Bool = false
  ) {
    self.origin = origin
    self.whole = whole
    root = whole.map { $0.root ?? $0 }
    self.isObservation = isObservation || whole?.isObservation == true
    self.isFollowed = isFollowed || whole?.isFollowed == true
  }

  /// Makes a part of this cascade.
  ///
  /// The end of the part can be awaited separately.
  ///
  /// - Parameters:
  ///   - scope: The scope of the sequence.
  ///   - group: The group that starts the part; if `nil`, the group of this cascade.
  ///   - isFollowed: Whether a later part of a sequence waits for this part.
  func makePart(
    of scope: EffectScope, startedBy group: Effect? = nil, isFollowed: Bool = false,
    isObservation: Bool = false
  ) -> Cascade {
    let part = Cascade(
      origin: origin, partOf: self, isObservation: isObservation, isFollowed: isFollowed)
    part.scope = scope
    part.group = group ?? self.group
    part.partPosition = parts.count
    part.isCancelled = isCancelled
    parts.append(part)
    return part
  }

  /// Makes the part of an observation.
  ///
  /// No answer waits for the part. If a later part of a sequence waits for this cascade, the
  /// observation stays in it.
  ///
  /// - Parameter scope: The scope of the observation.
  func makeObservation(of scope: EffectScope) -> Cascade {
    if isObservation || isFollowed { return self }
    return makePart(of: scope, isObservation: true)
  }

  /// Whether exactly one piece of work is pending.
  var isLastPending: Bool { pending == 1 }

  /// Counts one piece of pending work, until ``end()``.
  func begin() {
    if !isObservation { (root ?? self).counted += 1 }
    beginPart()
  }

  private func beginPart() {
    if pending == 0 { whole?.beginPart() }
    pending += 1
  }

  /// Reverses one call of ``begin()``.
  func end() {
    endPart()
    stopCounting()
  }

  /// Stops counting a piece of pending work, and calls the answers if it was the last one.
  func stopCounting() {
    if isObservation { return }
    let root = root ?? self
    root.counted -= 1
    guard root.counted == 0, !root.answers.isEmpty else { return }
    let answers = root.answers
    root.answers = []
    for answer in answers { answer() }
  }

  /// Ends one piece of pending work in the structure of parts.
  ///
  /// Iterative, because a long chain of actions can nest sequences deeply.
  private func endPart() {
    var cascade = self
    while let whole = cascade.endHere() {
      whole.remove(part: cascade)
      cascade = whole
    }
  }

  /// Ends one piece of pending work in this cascade.
  ///
  /// Returns the cascade of the whole sequence if this part has now ended.
  private func endHere() -> Cascade? {
    pending -= 1
    guard pending == 0 else { return nil }
    let finished = waiters
    waiters = []
    for waiter in finished {
      waiter.resume()
    }
    // The next part must begin before the whole sequence counts this part as ended.
    onFinish?()
    onFinish = nil
    return whole.take()
  }

  /// Complexity: O(1).
  private func remove(part: Cascade) {
    let last = parts.removeLast()
    if part.partPosition < parts.count {
      parts[part.partPosition] = last
      last.partPosition = part.partPosition
    }
  }

  /// Counts an effect until it is removed with ``remove(_:)``.
  ///
  /// Complexity: O(1).
  func insert(_ effect: Effect) {
    effects.append(effect) { $0.cascadePosition = $1 }
    begin()
  }

  /// Complexity: O(1).
  ///
  /// - Parameter isCounted: Whether the effect is still counted; false after ``stopCounting()``.
  func remove(_ effect: Effect, isCounted: Bool) {
    effects.remove(at: effect.cascadePosition)
    endPart()
    if isCounted { stopCounting() }
  }

  /// Ends the sequences around an effect that was cancelled or has failed, or around a dropped
  /// step.
  ///
  /// An effect of a removed child ends only the sequences of that child. The parents' sequences
  /// continue.
  ///
  /// Complexity: O(1) amortised in the depth of the sequences.
  func breakSequences(for effect: Effect? = nil) {
    let isOfGoneChild = effect?.scope.isGone == true
    var next: Cascade? = self
    while let part = next, let scope = part.scope {
      if isOfGoneChild {
        if part.isBroken || !scope.isGone { return }
      } else {
        if part.hasBrokenOuterSequences { return }
        part.hasBrokenOuterSequences = true
      }
      part.isBroken = true
      next = part.whole
    }
  }

  /// Cancels all effects, and drops queued effects.
  ///
  /// A cancelled group calls this function again, for a part of this cascade. That call returns
  /// immediately, so groups can be nested to any depth.
  func cancel() {
    if isCancelled { return }
    var cascades = [self]
    var next = 0
    while next < cascades.count {
      cascades[next].isCancelled = true
      cascades += cascades[next].parts
      next += 1
    }
    let all = cascades.flatMap { $0.effects.all }
    guard let core = all.first?.core else { return }
    core.effects.cancel(all.filter { !$0.moveToHeir() })
    // A waiting group may begin with an action. If this cascade is a part, other work is already
    // running and handles the action.
    if whole == nil { core.turnIfNeeded() }
  }

  /// Cancels the cascade in a later turn of the main actor, or before the next effect starts.
  ///
  /// The cancellation handler of a task that waits for the cascade calls this function. It cannot
  /// cancel the cascade itself: that resumes the task, which is not possible in the task's own
  /// handler. Without the stored request, the next effect to start could find an effect that is
  /// about to be cancelled.
  nonisolated func requestCancellation() {
    Self.requests.withLock { requests in
      requests.append(self)
      Self.hasRequests.store(true, ordering: .releasing)
    }
    Task { @MainActor in Self.cancelRequested() }
  }

  /// Cancels the cascades whose waiting tasks were cancelled.
  ///
  /// Complexity: O(*n*) in the number of their effects.
  static func cancelRequested() {
    if !hasRequests.load(ordering: .acquiring) { return }
    let requested = requests.withLock { requests in
      defer { requests = [] }
      hasRequests.store(false, ordering: .releasing)
      return requests
    }
    for cascade in requested { cascade.cancel() }
  }

  var isFinished: Bool { pending == 0 }

  /// Whether a task waits for everything that the action started, and thus needs its observations.
  var isNeeded: Bool { !isCancelled && !(root ?? self).waiters.isEmpty }

  /// Whether two cascades belong to different actions from outside.
  func isApart(from other: Cascade) -> Bool { (root ?? self) !== (other.root ?? other) }

  /// Whether work other than observations is pending.
  var isCounted: Bool { counted > 0 }

  /// Calls a function when no work is pending except observations and the work that they started.
  func whenCountedEnded(_ body: @escaping @MainActor () -> Void) {
    if counted > 0 { answers.append(body) } else { body() }
  }

  /// The effects for which an answer waits, in this cascade and its parts.
  ///
  /// Complexity: O(*n*) in the number of all effects of the cascade.
  var countedEffects: [Effect] {
    var cascades = [self]
    var next = 0
    while next < cascades.count {
      cascades += cascades[next].parts.filter { !$0.isObservation }
      next += 1
    }
    return cascades.flatMap { $0.effects.all.filter(\.isCounted) }
  }

  /// Waits until no work is pending.
  func finish() async {
    guard pending > 0 else { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}
