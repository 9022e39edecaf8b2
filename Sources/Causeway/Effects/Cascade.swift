/// Everything that one action started: its effects, what their actions start, and so on.
///
/// Counts what is pending, so that an ``ActionTask`` can wait for all of it or cancel it.
@MainActor
@usableFromInline
final class Cascade {
  /// The number of the step that started it; `nil` until that step was handled.
  var origin: Int?
  private var pending = 0
  // Unchecked because nothing but the array runs while it is changed, on the main actor.
  @exclusivity(unchecked) private var effects: [Effect] = []
  private var waiters: [CheckedContinuation<Void, Never>] = []
  /// Once cancelled, nothing of it starts any more.
  private(set) var isCancelled = false
  /// Whether something of this part was cancelled, was dropped or has failed, so that the next part
  /// is not due.
  private(set) var isBroken = false
  /// The scope of the sequence that this is a part of.
  private var scope: EffectScope?
  private var parts: [Cascade] = []
  /// The place among the parts of the whole.
  private var partPosition = 0
  /// The cascade that this is one part of, in a sequence; let go of when it has ended, so that a
  /// long chain of them is not freed recursively.
  private var whole: Cascade?
  /// Called when nothing is pending any more.
  var onFinish: (() -> Void)?

  init(origin: Int? = nil, partOf whole: Cascade? = nil) {
    self.origin = origin
    self.whole = whole
  }

  /// A cascade that belongs to this one, and whose end can be awaited on its own.
  ///
  /// - Parameter scope: The scope of the sequence.
  func makePart(of scope: EffectScope) -> Cascade {
    let part = Cascade(origin: origin, partOf: self)
    part.scope = scope
    part.partPosition = parts.count
    part.isCancelled = isCancelled
    parts.append(part)
    return part
  }

  /// Whether nothing is pending but one thing.
  var isLastPending: Bool { pending == 1 }

  /// Counts something that is pending, until ``end()``.
  func begin() {
    if pending == 0 { whole?.begin() }
    pending += 1
  }

  /// Takes back what ``begin()`` counted.
  ///
  /// Iterative, because sequences may be nested as deep as a chain of actions is long.
  func end() {
    var cascade = self
    while let whole = cascade.endHere() {
      whole.remove(part: cascade)
      cascade = whole
    }
  }

  /// Takes back one; returns the whole, if that is to do the same because this has ended.
  private func endHere() -> Cascade? {
    pending -= 1
    guard pending == 0 else { return nil }
    let finished = waiters
    waiters = []
    for waiter in finished {
      waiter.resume()
    }
    // What comes next in a sequence begins before the whole may count this part as ended.
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

  /// Counts an effect, until ``remove(_:)``.
  ///
  /// Complexity: O(1).
  func insert(_ effect: Effect) {
    effect.cascadePosition = effects.count
    effects.append(effect)
    begin()
  }

  /// Complexity: O(1).
  func remove(_ effect: Effect) {
    let position = effect.cascadePosition
    let last = effects.removeLast()
    if position < effects.count {
      effects[position] = last
      last.cascadePosition = position
    }
    end()
  }

  /// Ends the sequences that an effect is in, because it was cancelled or has failed, or those of a
  /// step that was dropped.
  ///
  /// An effect of a child that went ends only the sequences of that child, and lets those of the
  /// parents go on.
  func breakSequences(for effect: Effect? = nil) {
    var next: Cascade? = self
    while let part = next, let scope = part.scope, !part.isBroken {
      if let effect, effect.scope.isGone, !scope.isGone { return }
      part.isBroken = true
      next = part.whole
    }
  }

  /// Cancels all effects; what is queued or would still start is dropped.
  func cancel() {
    // All at first, so that the end of one effect does not start another that has to go, too.
    var cascades = [self]
    var next = 0
    while next < cascades.count {
      cascades[next].isCancelled = true
      cascades += cascades[next].parts
      next += 1
    }
    for cascade in cascades {
      for effect in cascade.effects {
        effect.core.effects.cancel(effect)
      }
    }
  }

  var isFinished: Bool { pending == 0 }

  /// Returns when nothing is pending.
  func finish() async {
    guard pending > 0 else { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}
