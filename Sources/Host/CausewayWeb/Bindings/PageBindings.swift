import Foundation
import Synchronization

/// The bindings of a hosted page, and the types that they are compared with.
final class PageBindings: Sendable {
  /// Says why the type of the page's actions cannot be decoded from an action of the page file.
  typealias Decode = @Sendable (ActionTemplate, Data) -> [String]

  private struct State {
    /// The check of the page file; nil before the first view state.
    var check: BindingCheck?
    /// The paths that no view state had values for.
    var open: [BindingCheck.Use] = []
    /// The number of view states to look at, because some lists stay empty for ever.
    var remaining = 100
    var reported: Set<BindingProblem> = []
  }

  let template: PageTemplate
  /// Pages with equal keys have the same problems without a view state.
  let key: [ObjectIdentifier]
  private let decode: Decode
  private let sample: @Sendable () -> JSONValue
  private let state = Mutex(State())

  /// - Parameter isSharing: Whether the page's view state has members of a ``SharedState``.
  init<ViewState: Encodable & Sendable, Action: Decodable & Sendable>(
    _ template: PageTemplate, _ viewState: ViewState.Type, _ action: Action.Type, isSharing: Bool
  ) {
    self.template = template
    key = [template.identity, ObjectIdentifier(ViewState.self), ObjectIdentifier(Action.self)]
    decode = { template, body in template.mistakes(decoding: Action.self, from: body) }
    sample = {
      guard let type = ViewState.self as? any Decodable.Type else { return .null }
      let sample = StateSample.json(of: type)
      guard isSharing, case .object(var members) = sample else { return sample }
      members[StateSample.anyName] = .null
      return .object(members)
    }
  }

  /// The problems that can be found without a view state.
  ///
  /// Complexity: O(n) in the length of the page file.
  ///
  /// - Parameter upload: Returns why a client cannot post to a path.
  func problems(upload: @escaping @Sendable (String) -> String?) -> [BindingProblem] {
    let check = BindingCheck(template, decode: decode, sample: sample(), upload: upload)
    let paths = PathCheck(check: check, state: check.sample, isComplete: true)
    return Self.sorted(check.problems + check.uses.compactMap { paths.result(of: $0).problem })
  }

  /// The problems of paths in a view state.
  func problems(in viewState: JSONValue) -> [BindingProblem] {
    let check = BindingCheck(template, decode: nil, sample: .null) { _ in nil }
    let paths = PathCheck(check: check, state: viewState)
    return Self.sorted(check.uses.compactMap { paths.result(of: $0).problem })
  }

  /// The problems of paths that a view state has values for, for the first time.
  ///
  /// Complexity: O(n) in the length of the page file for the first view state, then O(n) in the
  /// number of paths into lists that were always empty.
  func newProblems(in viewState: JSONValue) -> [BindingProblem] {
    let (known, open) = state.withLock { state in
      state.remaining -= 1
      return (state.check, state.remaining < 0 ? [] : state.open)
    }
    if known != nil, open.isEmpty { return [] }
    let check = known ?? BindingCheck(template, decode: nil, sample: .null) { _ in nil }
    let paths = PathCheck(check: check, state: viewState)
    let results = (known == nil ? check.uses : open).map { ($0, paths.result(of: $0)) }
    let found = Self.sorted(results.compactMap(\.1.problem))
    return state.withLock { state in
      state.check = check
      state.open = results.filter { !$0.1.isKnown }.map(\.0)
      return found.filter { state.reported.insert($0).inserted }
    }
  }

  private static func sorted(_ problems: [BindingProblem]) -> [BindingProblem] {
    var seen: Set<BindingProblem> = []
    return problems.sorted { $0.line < $1.line }.filter { seen.insert($0).inserted }
  }
}
