extension StepObserver {
  /// Returns an observer that passes everything to each of several observers, in order.
  ///
  /// ```swift
  /// let model = ViewModel(
  ///   Search(find: find),
  ///   observer: .merge(.systemLog("search", subsystem: "com.example.app"), recorder.observer))
  /// ```
  ///
  /// - Parameter observers: The observers; `nil` is left out.
  /// - Returns: `nil` if there is no observer. Then nothing is copied or called.
  public static func merge(_ observers: StepObserver?...) -> StepObserver? {
    let observers = observers.compactMap { $0 }
    return observers.isEmpty ? nil : StepObserver(merging: observers)
  }

  private init(merging observers: [StepObserver]) {
    let steps = observers.compactMap { $0.observe }
    let passStep: @MainActor (Step<State, Action>) -> Void = { step in
      for observe in steps { observe(step) }
    }
    let effects = observers.compactMap { $0.observeEffect }
    let passEffect: @MainActor (EffectEvent) -> Void = { event in
      for observe in effects { observe(event) }
    }
    let changes = observers.compactMap { $0.observeChange }
    let passChange: @MainActor (Step<State, Action>, @escaping StateChange) -> Void = {
      for observe in changes { observe($0, $1) }
    }
    let brief = observers.compactMap { $0.observeBriefly }
    let passBrief: @MainActor (BriefStep<State, Action>) -> Void = { step in
      for observe in brief { observe(step) }
    }
    let beginnings = observers.compactMap { $0.observeBeginning }
    let passBeginning: @MainActor (Action?, UnsafePointer<State>, EffectID?) -> Void = {
      for observe in beginnings { observe($0, $1, $2) }
    }
    // With `nil`, the runtime does nothing. With an empty list, it would still make the arguments.
    observe = steps.isEmpty ? nil : passStep
    observeEffect = effects.isEmpty ? nil : passEffect
    observeChange = changes.isEmpty ? nil : passChange
    observeBriefly = brief.isEmpty ? nil : passBrief
    observeBeginning = beginnings.isEmpty ? nil : passBeginning
    watch = RuntimeWatch(merging: observers.compactMap { $0.watch })
  }
}

extension RuntimeWatch {
  /// Makes a watch that passes everything to each of several watches; `nil` for none.
  fileprivate init?(merging watches: [RuntimeWatch]) {
    if watches.isEmpty { return nil }
    self.init(
      effectRan: { id, number in for watch in watches { watch.effectRan(id, number) } },
      reported: { error, effect in for watch in watches { watch.reported(error, effect) } },
      rehearsal: watches.compactMap { $0.rehearsal }.first)
  }
}
