import CausewaySystem

extension StepObserver {
  /// Returns an observer that prints each step: its cause, and the changes of the state.
  ///
  /// ```swift
  /// let model = ViewModel(Search(find: find), observer: .printChanges())
  /// ```
  ///
  /// Each text names the effect that caused the step, and the action from outside that started it.
  /// It shows the first 20 changed fields and elements. Long values are abbreviated.
  ///
  /// Use it for debugging only. It compares the whole state at each step. Without a `print`
  /// closure, it writes all changed values to the standard output, including secrets in the state.
  ///
  /// Complexity: O(*n*) in the size of the state for each step.
  ///
  /// - Parameters:
  ///   - name: The beginning of each text, to distinguish several view models.
  ///   - print: Called on the main actor with the text of one step: some lines, without a line
  ///     break at the end. Default: the standard output, with control characters as escapes.
  public static func printChanges(
    _ name: String? = nil,
    to print: (@MainActor (_ text: String) -> Void)? = nil
  ) -> StepObserver {
    let printer = ChangePrinter<State, Action>(name)
    let print = print ?? { Swift.print(PrintableText.escaped($0, keepsLines: true)) }
    return StepObserver { print(printer.text(of: $0)) }
  }
}

/// Formats steps, and stores the texts of the actions from outside.
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
  /// Formats a difference as a change from the old value to the new one.
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

/// The most recently used texts, by number.
///
/// The limit keeps a long run from filling the memory.
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
