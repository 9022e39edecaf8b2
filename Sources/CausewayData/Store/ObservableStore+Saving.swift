extension ObservableStore {
  /// Saves everything that was changed before the call.
  ///
  /// Call it when the process may end soon, for example on SIGTERM or when the app goes to the
  /// background. It does not wait for a pause after a failure.
  ///
  /// - Throws: What the backing throws. The changes are kept, and saved later.
  public func flush() async throws {
    try await markRemoved()
    let version = schedule.lastVersion
    while schedule.hasUnsaved(upTo: version) {
      if let saving {
        // What it saves need not be all, and its failure has been reported.
        _ = try? await saving.value
      } else {
        try await beginSave()?.value
      }
    }
  }

  /// Saves what is left and ends the store; later changes are refused and reported.
  ///
  /// Calling it again waits for the same end.
  ///
  /// - Throws: What the backing throws. The store is open again then, and the changes are kept:
  ///   close it once more.
  public func close() async throws {
    if let closing { return try await closing.value }
    if isClosed { return }
    isClosed = true
    let task = Task { try await withTaskExecutorPreference(executor) { try await end() } }
    closing = task
    try await task.value
  }

  private func end() async throws {
    defer { closing = nil }
    do {
      try await flush()
    } catch {
      isClosed = false
      startTimer()
      throw error
    }
    timer?.cancel()
    endSweep()
    loading?.cancel()
    loading = nil
  }

  /// Waits, as long as there is anything to save, until it is due.
  func startTimer() {
    guard timer == nil, !isClosed, schedule.deadline != nil else { return }
    timer = Task { [weak self, executor, sleep] in
      await withTaskExecutorPreference(executor) {
        while !Task.isCancelled, let pause = self?.pauseBeforeSave() {
          if pause > .zero {
            do { try await sleep(pause) } catch { return }
          } else {
            _ = try? await self?.beginSave()?.value
          }
        }
      }
    }
  }

  /// How long to wait before the next save; `nil` to end the timer.
  private func pauseBeforeSave() -> Duration? {
    guard let deadline = schedule.deadline else {
      timer = nil
      return nil
    }
    return deadline - now()
  }

  /// Saves all that is not saved, in one transaction; `nil` if there is nothing to do.
  private func beginSave() -> Task<Void, any Error>? {
    guard let keys = schedule.begin() else { return nil }
    let changes = changes(of: keys)
    // It holds the store until it ends.
    let task = Task {
      do {
        try await withTaskExecutorPreference(executor) { try await backing.save(changes) }
        schedule.succeed()
        saving = nil
        // It may sleep through the pause after a failure, which has no reason any more.
        timer?.cancel()
        timer = nil
        startTimer()
      } catch {
        let pause = schedule.fail(now: now(), random: .random(in: 0..<1))
        saving = nil
        report(.save(error, unsaved: schedule.unsavedCount, nextTry: pause))
        startTimer()
        throw error
      }
    }
    saving = task
    return task
  }
}
