extension StepObserver {
  /// Returns an observer that logs each step: on Apple's systems to the unified log, elsewhere to
  /// the standard error stream.
  ///
  /// ```swift
  /// let model = ViewModel(
  ///   Search(find: find), observer: .systemLog("search", subsystem: "com.example.app"))
  /// ```
  ///
  /// A line contains the number of the step, the case of the action, and the names of the fields
  /// that changed. It contains no values, unless `showsValues` is true. In a release build, the
  /// result is `nil` unless `inRelease` is true. With `nil`, nothing is logged or copied.
  ///
  /// The level is *debug*.
  ///
  /// Complexity: O(*n*) in the size of the state for each step.
  ///
  /// - Parameters:
  ///   - category: The category of the log, and the beginning of each line elsewhere.
  ///   - subsystem: The subsystem of the log. It is not used on other systems.
  ///   - showsValues: Whether lines also contain payloads of actions, ids of effects, and old and
  ///     new values. In the unified log, they are private. Default: false.
  ///   - inRelease: Whether a release build logs too. Default: false.
  public static func systemLog(
    _ category: String, subsystem: String, showsValues: Bool = false, inRelease: Bool = false
  ) -> StepObserver? {
    guard inRelease || BuildConfiguration.isDebug else { return nil }
    return log(to: SystemLog.writer(category: category, subsystem: subsystem, showsValues))
  }

  /// Returns an observer that passes a line for each step to a closure.
  ///
  /// Use it to write to another log. See ``systemLog(_:subsystem:showsValues:inRelease:)`` for the
  /// contents of a line. Unlike that function, it logs in a release build too.
  ///
  /// Complexity: O(*n*) in the size of the state for each step.
  ///
  /// - Parameters:
  ///   - showsValues: Whether lines also contain payloads of actions, ids of effects, and old and
  ///     new values. Default: false.
  ///   - write: Called on the main actor with the line of one step, without a line break.
  public static func log(
    showsValues: Bool = false, to write: @escaping @MainActor (_ line: String) -> Void
  ) -> StepObserver {
    log { write(showsValues ? "\($0.names) \($0.values)" : $0.names) }
  }

  static func log(to write: @escaping @MainActor (StepLine) -> Void) -> StepObserver {
    StepObserver { write(StepLine($0)) }
  }
}
