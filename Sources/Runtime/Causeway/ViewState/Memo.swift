/// A function whose result is reused while its input stays the same.
///
/// ```swift
/// let rows = Memo { (results: [Item]) in results.map(Row.init) }
/// let model = ViewModel(Search(), reducer: { SearchViewState(rows: rows($0.results)) })
/// ```
///
/// It stores one input and its output. Comparing an array with an unchanged array takes constant
/// time, because both share their storage.
///
/// Isolation: the main actor.
@MainActor
public final class Memo<Input: Equatable, Output> {
  private let compute: @MainActor (Input) -> Output
  private var last: (input: Input, output: Output)?

  /// Makes a memo of a function.
  ///
  /// The result must depend on the input only.
  public init(_ compute: @escaping @MainActor (Input) -> Output) {
    self.compute = compute
  }

  /// Returns the result, and computes it if the input differs from the last one.
  public func callAsFunction(_ input: Input) -> Output {
    if let last, Sameness.areSame(last.input, input) { return last.output }
    let output = compute(input)
    last = (input, output)
    return output
  }
}
