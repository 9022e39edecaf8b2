/// What an action started, as a whole: its effects, the actions they send, and so on.
public struct ActionTask: Sendable {
  /// `nil` when the action started nothing, so that sending it costs nothing.
  @usableFromInline let cascade: Cascade?

  @usableFromInline
  init(_ cascade: Cascade?) {
    self.cascade = cascade
  }

  /// Waits until everything that the action started has ended.
  ///
  /// Returns at once when the action started nothing. Cancelling the task that waits cancels
  /// what it waits for, so a view's task can own the effects of its first action.
  public func finish() async {
    guard let cascade else { return }
    await withTaskCancellationHandler {
      await cascade.finish()
    } onCancel: {
      Task { @MainActor in cascade.cancel() }
    }
  }

  /// Whether everything that the action started has ended.
  @MainActor
  package var isFinished: Bool { cascade?.isFinished ?? true }

  /// Cancels everything that the action started.
  ///
  /// Nothing of it changes state any more when this returns.
  @MainActor
  public func cancel() {
    cascade?.cancel()
  }
}
