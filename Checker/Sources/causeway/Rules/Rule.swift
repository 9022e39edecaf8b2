import SwiftSyntax

/// A rule of the checker.
///
/// `--explain` prints its documentation comment: the reason, a bad and a good example, and the
/// exceptions.
protocol Rule: Sendable {
  static var id: String { get }
  /// Whether the rule runs by default. The other rules run if `--only` names them.
  static var isDefault: Bool { get }
  /// Whether a finding has to hold in each target that compiles the file.
  ///
  /// For the other rules, it has to hold in one of them. The advice of a rule that needs all
  /// targets can break a target without the finding.
  static var needsAllTargets: Bool { get }
  static func check(_ file: CheckedFile) -> [Finding]
}

extension Rule {
  static var isDefault: Bool { true }
  static var needsAllTargets: Bool { false }

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
    ContinuationPaths.self, ContinuationOverwritten.self, ContinuationKept.self,
    CancellationHandler.self, CancellationSwallowed.self, FlagAfterThrow.self,
    SemaphoreAroundTask.self, LockOverAwait.self,
    StaleIndex.self, SharedStream.self, UndrainedGroup.self, CallUnderLock.self,
    ObservableIsolation.self,
    EffectConcurrent.self,
    MainQueueHop.self, PreconcurrencyConformance.self, MainActorCallback.self, CheckThenAct.self,
    MainActorBlocking.self, YieldSpin.self, UnusedIgnore.self, UnstoredTask.self,
    GenericSendable.self, CompletionSendable.self, Reentrancy.self, HiddenRandomness.self,
    UnhandledAction.self, UnstartedEffect.self, CancellationShown.self, UnsafeGlobal.self,
    SystemCallback.self, OlderAnswer.self, TurnAfterCancel.self,
    WaitIgnoresCancel.self, FolderLayers.self,
  ]

  static func rule(_ id: String) -> (any Rule.Type)? { all.first { $0.id == id } }

  /// The message about a rule that does not exist.
  static func missing(_ id: String) -> String {
    "there is no rule '\(id)'\(Suggestion.text(for: id, in: all.map { $0.id })); causeway rules lists "
      + "them"
  }
}
