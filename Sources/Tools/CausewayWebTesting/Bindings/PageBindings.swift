import CausewayWeb
import Foundation
import Synchronization

/// The bindings of a hosted page, and the types that they are compared with.
final class PageBindings: CheckedPage {
  /// Returns the reasons why the type of the page's actions cannot be decoded from an action.
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

  private let types: PageTypes
  private let state = Mutex(State())

  init(_ types: PageTypes) { self.types = types }

  var key: [ObjectIdentifier] {
    [types.template.identity, ObjectIdentifier(types.viewState), ObjectIdentifier(types.action)]
  }

  /// Complexity: O(n²) in the number of elements of the page.
  func problems(_ routes: any PostRoutes) -> [any Error] { problems(routes, in: nil) }

  /// The problems without and with a view state, in the order of the page file.
  func problems(_ routes: any PostRoutes, in viewState: JSONValue?) -> [BindingProblem] {
    Self.sorted(found(routes) + (viewState.map(found) ?? []))
  }

  private func found(_ routes: any PostRoutes) -> [BindingProblem] {
    let decode: Decode = { [types] template, body in
      let action: any Decodable.Type = types.action
      return template.mistakes(decoding: action, from: body)
    }
    let check = BindingCheck(types.template, decode: decode, sample: sample) {
      routes.refusal(ofPostTo: $0)
    }
    let paths = PathCheck(check: check, state: check.sample, isComplete: true)
    return check.problems + check.uses.compactMap { paths.result(of: $0).problem }
  }

  private func found(_ viewState: JSONValue) -> [BindingProblem] {
    let check = unknown
    let paths = PathCheck(check: check, state: viewState)
    return check.uses.compactMap { paths.result(of: $0).problem }
  }

  /// An example of the view state; null if nothing is known.
  private var sample: JSONValue {
    guard let type = types.viewState as? any Decodable.Type else { return .null }
    let sample = StateSample.json(of: type)
    guard types.isSharing, case .object(var members) = sample else { return sample }
    members[StateSample.anyName] = .null
    return .object(members)
  }

  /// The check of the page file without its types.
  private var unknown: BindingCheck {
    BindingCheck(types.template, decode: nil, sample: .null) { _ in nil }
  }

  /// The problems of paths that a view state has values for, for the first time.
  ///
  /// Complexity: O(n) in the length of the page file for the first view state, then O(n) in the
  /// number of paths into lists that were always empty.
  func newProblems(in viewState: JSONValue) -> [any Error] {
    let (known, open) = state.withLock { state in
      state.remaining -= 1
      return (state.check, state.remaining < 0 ? [] : state.open)
    }
    if known != nil, open.isEmpty { return [] }
    let check = known ?? unknown
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
