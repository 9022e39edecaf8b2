/// Everything that an action started: its effects, the actions that they send, and so on.
public struct ActionTask: Sendable {
  /// `nil` when the action started nothing, which costs no allocation.
  @usableFromInline let cascade: Cascade?

  @usableFromInline
  init(_ cascade: Cascade?) {
    self.cascade = cascade
  }

  /// Waits until everything that the action started has ended.
  ///
  /// Returns immediately when the action started nothing. Cancelling the waiting task also cancels
  /// everything that the action started. The effects of a view's first action can therefore end
  /// with the view's task.
  ///
  /// If an observation was replaced by `.latest` while a task waits for it, the task waits for the
  /// later observation. The later observation ends when all tasks that wait for it were cancelled.
  public func finish() async {
    guard let cascade else { return }
    await withTaskCancellationHandler {
      await cascade.finish()
    } onCancel: {
      cascade.requestCancellation()
    }
  }

  /// Calls a function when everything that the action started has ended, except observations.
  ///
  /// It calls the function at once if no such work runs. It does not wait for effects of `observe`
  /// or for the work that they have started, unless a later part of a sequence waits for them.
  ///
  /// - Parameter body: Called while the runtime ends an effect, so it must not send an action.
  @MainActor
  package func whenEndedExceptObservations(_ body: @escaping @MainActor () -> Void) {
    guard let cascade else { return body() }
    cascade.whenCountedEnded(body)
  }

  /// Whether ``whenEndedExceptObservations(_:)`` would wait.
  @MainActor
  package var isAwaited: Bool { cascade?.isCounted ?? false }

  /// The effects for which ``whenEndedExceptObservations(_:)`` waits.
  ///
  /// A name is followed by the source location.
  @MainActor
  package var awaitedEffects: [(name: String, place: String)] {
    let effects = cascade?.countedEffects ?? []
    return effects.sorted { $0.number < $1.number }.map { ($0.id.reportName(), "\($0.place)") }
  }

  /// Whether everything that the action started has ended.
  @MainActor
  package var isFinished: Bool { cascade?.isFinished ?? true }

  /// Cancels everything that the action started.
  ///
  /// After the return, nothing that the action started changes state. The exception is an
  /// observation that has replaced another observation for which a task still waits; see
  /// ``finish()``.
  @MainActor
  public func cancel() {
    cascade?.cancel()
  }
}
