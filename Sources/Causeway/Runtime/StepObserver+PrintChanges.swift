extension StepObserver {
  /// An observer that prints each step: what caused it, and what it changed in the state.
  ///
  /// ```swift
  /// let model = ViewModel(Search(find: find), observer: .printChanges())
  /// ```
  ///
  /// A step names the effect that it came from and the action from outside that started it all.
  /// Only fields and elements that have changed are shown, the first 20 of them; long values are
  /// abbreviated.
  ///
  /// For debugging: it compares the whole state for each step, and without a `print` of your own
  /// everything goes to the standard output, whatever secrets the state has.
  ///
  /// Complexity: O(*n*) in the size of the state for each step.
  ///
  /// - Parameters:
  ///   - name: Begins each text, to tell several view models apart.
  ///   - print: Called on the main actor with the text of one step, some lines without a line
  ///     break at the end. Default: the standard output.
  public static func printChanges(
    _ name: String? = nil,
    to print: @escaping @MainActor (_ text: String) -> Void = { Swift.print($0) }
  ) -> StepObserver {
    let printer = ChangePrinter<State, Action>(name)
    return StepObserver { print(printer.text(of: $0)) }
  }
}

/// Puts steps into words, and remembers what the actions from outside were.
@MainActor
final class ChangePrinter<State: Sendable, Action: Sendable> {
  private let name: String?
  private var origins = RecentTexts()

  nonisolated init(_ name: String?) {
    self.name = name
  }

  func text(of step: Step<State, Action>) -> String {
    var headline = name.map { "\($0), step" } ?? "Step"
    headline += " \(step.number): \(step.causeText)"
    if step.origin == step.number {
      origins.remember(step.causeText, as: step.number)
    } else if let origin = origins.recall(step.origin) {
      headline += ", started by \(origin) in step \(step.origin)"
    } else {
      headline += ", started by step \(step.origin)"
    }
    let lines = Difference(expected: step.before, actual: step.after).lines
    if lines.isEmpty { return "\(headline), changed nothing" }
    var text = lines.prefix(20).reduce(into: headline) { $0 += "\n  \($1.change)" }
    if lines.count > 20 { text += "\n  and \(lines.count - 20) more" }
    return text
  }
}

extension Difference.Line {
  /// The line as a change from what was expected to what is.
  fileprivate var change: String {
    let place = path.isEmpty ? "state" : path
    return switch (expected, actual) {
    case (let before?, let after?): "\(place): \(before) → \(after)"
    case (let before?, nil): "\(place): removed \(before)"
    case (nil, let after?): "\(place): added \(after)"
    case (nil, nil): place
    }
  }
}

/// Texts by number; those that were used last, so that a long run does not fill the memory.
struct RecentTexts {
  private static let limit = 512

  private var texts: [Int: (text: String, lastUse: Int)] = [:]
  private var uses = 0

  /// Complexity: O(1) amortised.
  mutating func remember(_ text: String, as number: Int) {
    uses += 1
    texts[number] = (text, uses)
    guard texts.count > Self.limit else { return }
    let uses = texts.values.map(\.lastUse).sorted()
    let oldestKept = uses[Self.limit / 2]
    texts = texts.filter { $0.value.lastUse >= oldestKept }
  }

  /// Complexity: O(1).
  mutating func recall(_ number: Int) -> String? {
    guard let text = texts[number]?.text else { return nil }
    uses += 1
    texts[number]?.lastUse = uses
    return text
  }
}
