extension ObservableStore {
  /// Returns when everything has been loaded, or the store was closed before that.
  public func waitUntilLoaded() async {
    while let loading { await loading.value }
  }

  /// Loads again, after something else has changed what the backing has.
  ///
  /// Values that are gone there go here as well, but for those that were changed here and are not
  /// saved, or were changed while it loads.
  public func reload() async {
    if !isClosed {
      loading?.cancel()
      startLoading()
    }
    await waitUntilLoaded()
  }

  /// Loads, again after a failure, until it works or the store is gone.
  func startLoading() {
    // What is being saved may be loaded as it was before.
    let unsaved = schedule.unsavedKeys
    // What was set after a removal stays, also if it is saved already when the removal is made.
    changedSinceLoad = removesLoaded ? unsaved.union(changedSinceLoad ?? []) : unsaved
    loading = Task { [weak self, backing, executor, sleep] in
      await withTaskExecutorPreference(executor) {
        var failures = 0
        while !Task.isCancelled {
          do {
            let values = try await backing.load()
            self?.endLoading(values)
            return
          } catch {
            failures += 1
            guard let self, let pause = self.report(error, failures) else { return }
            _ = consume self
            try? await sleep(pause)
          }
        }
      }
    }
  }

  /// Finds out which keys the backing has, if all of them are to be removed.
  ///
  /// It does not wait for the running load, which may be in the pause after a failure.
  func markRemoved() async throws {
    guard removesLoaded else { return }
    removeLoaded(try await backing.load().keys)
  }

  /// Takes in what was loaded, unless the load was given up.
  private func endLoading(_ values: [Key: Value]) {
    guard !Task.isCancelled else { return }
    loading = nil
    takeIn(values)
  }

  /// Returns the pause before the load is tried again.
  private func report(_ error: any Error, _ failures: Int) -> Duration? {
    guard !Task.isCancelled else { return nil }
    let pause = policy.pause.duration(before: failures, random: .random(in: 0..<1))
    report(.load(error, nextTry: pause))
    return pause
  }
}
