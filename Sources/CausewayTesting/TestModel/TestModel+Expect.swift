public import Causeway

extension TestModel {
  /// Asserts the next update of an effect, or the next error that `catch:` turned into state.
  ///
  /// If the test is not exhaustive, it skips the steps before the first matching step.
  ///
  /// ```swift
  /// await model.expect(from: "posts") { $0.posts = posts }
  /// ```
  ///
  /// - Parameters:
  ///   - effect: The effect that sent the update. Steps of other effects remain for later
  ///     assertions. Effects that run concurrently can therefore be asserted in any order. Default:
  ///     any effect.
  ///   - change: Turns the state before the update into the expected state after it; see
  ///     ``send(_:fileID:filePath:line:column:_:)``. Without it, the update must change nothing,
  ///     even if the test is not exhaustive.
  ///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func expect(
    from effect: EffectID? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) throws -> Void)? = nil
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await run.drain.settle()
    defer { reportProblems(location) }
    guard
      let step = next(
        "an update", from: effect, location, matching: { $0.isUpdate && fits($0, change) },
        orElse: { $0.isUpdate })
    else { return }
    guard step.isUpdate else { return reportWrong(step, "an update", from: effect, location) }
    // A missing closure asserts that nothing changes, regardless of the exhaustivity.
    compare(step, change, subject(step), location, wholly: exhaustivity.isOn || change == nil)
  }

  /// Takes the next step of an effect, or of any effect.
  ///
  /// If the test is not exhaustive, it takes the next matching step.
  ///
  /// If no step matches, it takes a similar step for a better report.
  func next(
    _ wanted: String,
    from effect: EffectID?,
    _ location: TestLocation,
    matching fits: (Step<State, Action>) -> Bool,
    orElse isNear: (Step<State, Action>) -> Bool = { _ in false }
  ) -> Step<State, Action>? {
    let steps = inbox.steps
    let candidates = steps.indices.filter { effect == nil || steps[$0].effect == effect }
    var place = 0
    if !exhaustivity.isOn {
      place =
        candidates.firstIndex { fits(steps[$0]) } ?? candidates.firstIndex { isNear(steps[$0]) }
        ?? 0
      let skipped = candidates.prefix(place)
      passOver(skipped.map { steps[$0] })
      for index in skipped.reversed() { _ = inbox.take(index) }
    }
    // The skipped steps were removed before this step, so its index is smaller now.
    if place < candidates.count { return inbox.take(candidates[place] - place) }
    let activities = run.activities
    let running = activities.isEmpty ? "No effect is running." : "These effects are running:"
    report(
      """
      Expected \(wanted)\(Self.source(effect)), but nothing came. \
      \(closing.map { "The model was closed by \($0.rawValue)." } ?? running)\
      \(activities.map { "\n  \($0)" }.joined())
      """, location)
    return nil
  }

  /// Fails because the next step differs from the expected step.
  func reportWrong(
    _ step: Step<State, Action>, _ wanted: String, from effect: EffectID?, _ location: TestLocation
  ) {
    // A test that is not exhaustive has searched all stored steps.
    let found = exhaustivity.isOn ? "the next step is" : "no stored step matches. The next step is"
    report(
      """
      Expected \(wanted)\(Self.source(effect)), but \(found): \(run.names.line(step))
      """, location)
  }

  private static func source(_ effect: EffectID?) -> String {
    effect.map { " from effect \($0)" } ?? ""
  }

  /// The cause of a step, for the beginning of a sentence.
  func subject(_ step: Step<State, Action>) -> String {
    let cause = run.names.cause(of: step)
    return cause.prefix(1).uppercased() + cause.dropFirst()
  }

  /// Whether a step matches, in a test that is not exhaustive.
  func fits(_ step: Step<State, Action>, _ change: ((inout State) throws -> Void)?) -> Bool {
    var expected = change == nil ? step.before : step.after
    if let change, (try? change(&expected)) == nil { return false }
    return areEqual(expected, step.after)
  }
}

extension Step {
  var isUpdate: Bool {
    if case .action = cause { false } else { true }
  }

  /// The effect that caused the step.
  fileprivate var effect: EffectID? {
    switch cause {
    case .action(_, let effect): effect
    case .update(let effect), .failure(let effect): effect
    }
  }
}
