/// Writes a recorded session as a Swift test.
///
/// The test sends the recorded actions, makes the recorded updates of effects, and expects the
/// state after the last step.
package struct TestScript {
  /// The choices for a test.
  package struct Options: Sendable {
    /// The model; `nil` for the first one of the recording.
    package var model: String?
    /// The last step of the test; `nil` for the last one of the recording.
    package var step: Int?
    /// The expression that makes the feature; `nil` for its type without arguments.
    package var feature: String?
    /// The modules of the feature and of the types in its state.
    package var modules: [String] = []
    /// Whether the test runs the feature's effects in other orders, instead of the recorded updates.
    package var triesOrders = false
    /// The step after which the order differs from the session's; `nil` for the session's order.
    package var movedFrom: Int?

    package init() {}
  }

  private let recording: Recording
  private let model: RecordedEvent
  private let steps: [RecordedEvent]
  private let options: Options

  /// - Throws: ``ScriptError`` if the recording has no such model or step.
  package init(_ recording: Recording, _ options: Options) throws(ScriptError) {
    let models = recording.events.filter { $0.kind == .model }
    let wanted = options.model ?? models.first?.model
    guard let model = models.first(where: { $0.model == wanted }) else {
      throw .noModel(wanted, known: models.compactMap(\.model))
    }
    var steps = recording.events.filter {
      $0.model == wanted && ($0.isStep || $0.kind == .handling)
    }
    if let last = options.step {
      steps.removeAll { ($0.step ?? .max) > last }
      guard steps.last?.step == last else { throw .noStep(last, model: wanted ?? "") }
    }
    guard !steps.isEmpty else { throw .noStep(options.step ?? 1, model: wanted ?? "") }
    for (index, step) in steps.enumerated() where step.isStep && step.step != index + 1 {
      throw .gap(before: step.step ?? 0, model: wanted ?? "")
    }
    guard PathStep.isFeature(model.title) else { throw .noModel(model.title, known: []) }
    (self.recording, self.model, self.steps, self.options) = (recording, model, steps, options)
  }

  private var feature: String { options.feature ?? "\(model.title)()" }

  /// A test that sends the actions from outside, and lets the test kit choose the order of the
  /// other steps.
  private func orders() -> [String] {
    var lines = [
      "@MainActor @Test func `\(model.title) allows other orders of its effects`() async {",
      "  // The kit runs the effects, with the dependencies of this feature, in many orders.",
      "  await exploreInterleavings(of: \(feature)) { model in",
    ]
    for step in steps where step.kind == .action && step.origin == step.step {
      let send = "await model.send(\(step.value ?? ""))"
      lines += Self.line(send, isWhole: step.value).map { "  " + $0 }
    }
    lines.append("  } check: { state in")
    if let last = steps.last(where: \.isStep) {
      lines += expectations(after: last, of: "state").map { "  " + $0 }
    }
    return lines + ["  }", "}"]
  }

  /// The test as a Swift file.
  package var text: String {
    let name = model.title
    let end = steps.last?.step.map { "until step \($0)" } ?? "until its end"
    let note =
      options.triesOrders
      ? [
        "// Written by `causeway-recording test --orders`. The recording has hidden values as",
        "// \"<hidden>\".",
      ]
      : [
        "// Written by `causeway-recording test`. Effects do not run here, so the dependencies of the",
        "// feature are not used. The recording has hidden values as \"<hidden>\".",
      ]
        + (options.movedFrom.map { step in
          [
            "// What came after step \(step) of the session comes in another order here. The end is that",
            "// of this order, so replace it by what you expect.",
          ]
        } ?? [])
    var lines =
      note + [
        "import CausewayTesting",
        "import Testing",
        "",
      ]
    if !options.modules.isEmpty {
      lines += options.modules.map { "@testable import \($0)" } + [""]
    }
    if options.triesOrders { return (lines + orders()).joined(separator: "\n") + "\n" }
    lines += [
      "@MainActor @Test func `\(name) goes on as recorded \(end)`() {",
      "  let run = ScriptedRun(\(feature))",
    ]
    for step in steps { lines += write(step) }
    if let last = steps.last, last.isStep { lines += expectations(after: last, of: "run.state") }
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  private func write(_ step: RecordedEvent) -> [String] {
    switch step.kind {
    case .action:
      return Self.line("run.send(\(step.value ?? ""))", isWhole: step.value)
    case .handling:
      return ["  // The file ends in the handler of this action."]
        + Self.line("run.send(\(step.value ?? ""))", isWhole: step.value)
    default:
      let name = (step.effect ?? step.title).debugDescription
      var lines = ["  run.update(from: \(name)) { state in"]
      for change in step.changes ?? [] {
        guard let path = PathStep.steps(of: change.path), let value = change.after,
          let assignments = Self.assign(value, to: "state", path[...], indent: "    ")
        else {
          lines.append("    // Not in the recording as a whole: \(Self.comment(change.text))")
          continue
        }
        lines += assignments
      }
      return lines + ["  }"]
    }
  }

  /// Expects the values that the last step has changed.
  private func expectations(after step: RecordedEvent, of root: String) -> [String] {
    var lines = ["  // The state of the session after step \(step.step ?? 0)."]
    let ids = writtenIDs(until: step)
    for change in step.changes ?? [] {
      if !Self.ids(in: change.after).isSubset(of: ids) {
        lines.append("  // Made anew in each run: \(Self.comment(change.text))")
        continue
      }
      guard let path = PathStep.steps(of: change.path), let value = change.after,
        let expectation = Self.expect(value, at: root, path[...], indent: "  ")
      else {
        lines.append("  // Not in the recording as a whole: \(Self.comment(change.text))")
        continue
      }
      lines += expectation
    }
    return lines
  }

  /// The UUIDs in the code before the expectations; a handler makes other UUIDs in each run.
  private func writtenIDs(until last: RecordedEvent) -> Set<String> {
    var ids: Set<String> = []
    for step in steps where step.n <= last.n {
      if step.kind == .action {
        ids.formUnion(Self.ids(in: step.value))
      } else if !options.triesOrders {
        for change in step.changes ?? [] { ids.formUnion(Self.ids(in: change.after)) }
      }
    }
    return ids
  }

  private static func ids(in text: String?) -> Set<String> {
    let id = /[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/
    return Set((text ?? "").matches(of: id).map { String($0.output) })
  }
}

// Code for paths.
extension TestScript {
  /// Statements that set a part of a value; `nil` if the value is not complete.
  private static func assign(
    _ value: String, to root: String, _ path: ArraySlice<PathStep>, indent: String
  ) -> [String]? {
    let (place, name, rest) = split(root, path)
    guard let name else {
      return ValueSyntax.accepts(value) ? ["\(indent)\(place) = \(value)"] : nil
    }
    guard let inner = assign(value, to: name, rest, indent: indent + "  ") else { return nil }
    return ["\(indent)if case .\(name)(var \(name)) = \(place) {"] + inner
      + ["\(indent)  \(place) = .\(name)(\(name))", "\(indent)}"]
  }

  private static func expect(
    _ value: String, at root: String, _ path: ArraySlice<PathStep>, indent: String
  ) -> [String]? {
    let (place, name, rest) = split(root, path)
    guard let name else {
      return ValueSyntax.accepts(value) ? ["\(indent)#expect(\(place) == \(value))"] : nil
    }
    guard let inner = expect(value, at: name, rest, indent: indent + "  ") else { return nil }
    return ["\(indent)if case .\(name)(let \(name)) = \(place) {"] + inner
      + [
        "\(indent)} else {", "\(indent)  Issue.record(\"The state has another case.\")",
        "\(indent)}",
      ]
  }

  /// The expression up to the first payload, the name of its case, and the rest of the path.
  private static func split(
    _ root: String, _ path: ArraySlice<PathStep>
  ) -> (place: String, name: String?, rest: ArraySlice<PathStep>) {
    var place = root
    for (index, step) in zip(path.indices, path) {
      switch step {
      case .access(let text): place += text
      case .payload(let name): return (place, name, path[(index + 1)...])
      }
    }
    // The value of an optional is the optional itself in an assignment or a comparison.
    if place.hasSuffix("?") { place.removeLast() }
    return (place, nil, [])
  }

  /// A statement, or code that fails the test until the statement is filled in: a session without
  /// one of its actions has no meaning.
  private static func line(_ code: String, isWhole value: String?) -> [String] {
    guard let value, ValueSyntax.accepts(value) else {
      return [
        "  // Fill in what the recording does not have: \(comment(code))",
        "  Issue.record(\"An action of the session is not in the recording as a whole.\")",
      ]
    }
    return ["  \(code)"]
  }

  private static func comment(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ").shortened(to: 100)
  }
}

extension PathStep {
  /// Whether a text is the name of a type, perhaps with outer types.
  static func isFeature(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isName($0) }
  }
}

/// The reason why a recording gives no test.
package enum ScriptError: Error, Sendable, Equatable, CustomStringConvertible {
  case noModel(String?, known: [String])
  case noStep(Int, model: String)
  case gap(before: Int, model: String)

  /// A sentence that names the problem.
  package var description: String {
    switch self {
    case .noModel(nil, _): "The recording has no model."
    case .noModel(let name?, let known):
      "The recording has no model \(name); it has \(known.sorted().joined(separator: ", "))."
    case .noStep(let step, let model): "The recording has no step \(step) of \(model)."
    case .gap(let step, let model):
      "The steps of \(model) before step \(step) are missing: the ring was too small for them."
    }
  }
}
