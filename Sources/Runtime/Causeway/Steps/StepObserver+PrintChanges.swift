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
