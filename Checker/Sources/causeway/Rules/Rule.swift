import SwiftSyntax

/// A rule of the checker.
///
/// `--explain` prints its documentation comment: the reason, a bad and a good example, and the
/// exceptions.
protocol Rule: Sendable {
  static var id: String { get }
  /// Whether the rule runs by default. The other rules run if `--only` names them.
  static var isDefault: Bool { get }
  static func check(_ file: CheckedFile) -> [Finding]
}

extension Rule {
  static var isDefault: Bool { true }

  /// Makes a finding at a node.
  static func finding(
    at node: some SyntaxProtocol, _ message: String, advice: String, edits: [Edit] = []
  ) -> Finding {
    Finding(
      rule: id, range: node.start..<node.end, message: message, advice: advice, edits: edits)
  }
}

/// All rules, in the order of the documentation.
enum RuleSet {
  static let all: [any Rule.Type] = [
    RedundantMainActor.self, MainActorRun.self, MainActorTask.self, IsolatedDeinit.self,
    UncheckedSendable.self, RedundantUncheckedSendable.self, DetachedSelf.self,
    WeakSelfLoop.self, StoredTaskStrongSelf.self, StreamTermination.self,
    ContinuationPaths.self, CallUnderLock.self, ObservableIsolation.self,
    EffectConcurrent.self,
    MainQueueHop.self, PreconcurrencyConformance.self, UnusedIgnore.self, UnstoredTask.self,
    GenericSendable.self, CompletionSendable.self, Reentrancy.self, HiddenRandomness.self,
    UnhandledAction.self, UnstartedEffect.self,
  ]

  static func rule(_ id: String) -> (any Rule.Type)? { all.first { $0.id == id } }
}
