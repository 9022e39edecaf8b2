/// A function that is computed again only when its input has changed.
///
/// ```swift
/// let rows = Memo { (results: [Item]) in results.map(Row.init) }
/// let reducer = BuildViewState { domain in SearchViewState(rows: rows(domain.results)) }
/// ```
///
/// It remembers one input and its output. Comparing an array with the unchanged one takes
/// constant time, because both share their storage.
///
/// Isolation: the main actor.
@MainActor
public final class Memo<Input: Equatable, Output> {
  private let compute: @MainActor (Input) -> Output
  private var last: (input: Input, output: Output)?

  /// Makes a memo of a function, which must depend on its input only.
  public init(_ compute: @escaping @MainActor (Input) -> Output) {
    self.compute = compute
  }

  /// The function's value, computed if the input differs from the last one.
  public func callAsFunction(_ input: Input) -> Output {
    if let last, last.input == input { return last.output }
    let output = compute(input)
    last = (input, output)
    return output
  }
}
