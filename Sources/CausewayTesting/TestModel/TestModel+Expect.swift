public import Causeway

extension TestModel {
  /// Asserts the next update that an effect sent, or an error of one that `catch:` made state.
  ///
  /// Where the test is not exhaustive, steps before the first one that fits are skipped.
  ///
  /// ```swift
  /// await model.expect(from: "posts") { $0.posts = posts }
  /// ```
  ///
  /// - Parameters:
  ///   - effect: The effect that sent the update. Steps of other effects stay for later assertions,
  ///     so that effects that run side by side can be asserted in any order. Default: any effect.
  ///   - change: Turns the state before into the expected one after; see
  ///     ``send(_:fileID:filePath:line:column:_:)``. Without it, the update must change nothing,
  ///     also where the test is not exhaustive.
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
    // The absence of a closure says that nothing changes, whatever else the test asserts.
    compare(step, change, subject(step), location, wholly: exhaustivity.isOn || change == nil)
  }

  /// Takes the next step of an effect, or of any, or in a test that is not exhaustive the next one
  /// that fits.
  ///
  /// Where none fits, a similar one makes the better report.
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
    // The indices are smaller by those that were skipped.
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

  /// Fails because the next step is another one than the expected.
  func reportWrong(
    _ step: Step<State, Action>, _ wanted: String, from effect: EffectID?, _ location: TestLocation
  ) {
    report(
      """
      Expected \(wanted)\(Self.source(effect)), but the next step is: \(run.names.line(step))
      """, location)
  }

  private static func source(_ effect: EffectID?) -> String {
    effect.map { " from effect \($0)" } ?? ""
  }

  /// The cause of a step at the beginning of a sentence.
  func subject(_ step: Step<State, Action>) -> String {
    let cause = run.names.cause(of: step)
    return cause.prefix(1).uppercased() + cause.dropFirst()
  }

  /// Whether a step is what a test that is not exhaustive looks for.
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

  /// The effect that it came from.
  fileprivate var effect: EffectID? {
    switch cause {
    case .action(_, let effect): effect
    case .update(let effect), .failure(let effect): effect
    }
  }
}
