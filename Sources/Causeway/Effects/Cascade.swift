/// Everything that one action started: its effects, what their actions start, and so on.
///
/// Counts what is pending, so that an ``ActionTask`` can wait for all of it or cancel it.
@MainActor
@usableFromInline
final class Cascade {
  private var pending = 0
  private var members: [any CascadeMember] = []
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private(set) var isCancelled = false

  /// Counts a queued action.
  func begin() {
    pending += 1
  }

  /// Takes back what ``begin()`` counted.
  func end() {
    pending -= 1
    guard pending == 0 else { return }
    let finished = waiters
    waiters = []
    for waiter in finished {
      waiter.resume()
    }
  }

  /// Counts an effect, until ``remove(_:)``.
  ///
  /// Complexity: O(1).
  func insert(_ member: some CascadeMember) {
    member.cascadePosition = members.count
    members.append(member)
    begin()
  }

  /// Complexity: O(1).
  func remove(_ member: some CascadeMember) {
    let position = member.cascadePosition
    let last = members.removeLast()
    if position < members.count {
      members[position] = last
      last.cascadePosition = position
    }
    end()
  }

  /// Cancels all effects; what is queued or would still start is dropped.
  func cancel() {
    isCancelled = true
    for member in members {
      member.cancelAsMember()
    }
  }

  /// Returns when nothing is pending.
  func finish() async {
    guard pending > 0 else { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}

/// An effect, as its cascade sees it.
@MainActor
protocol CascadeMember: AnyObject {
  /// The place in the cascade's list.
  var cascadePosition: Int { get set }
  /// Cancels the effect and removes it from its cascade.
  func cancelAsMember()
}
