import SwiftSyntax
import Testing

@testable import causeway

struct ForeignExtensionTests {
  static let fixtures: [Fixture] = [
    CallUnderLockTests.fixtures,
    CancellationHandlerTests.fixtures,
    CancellationShownTests.fixtures,
    CancellationSwallowedTests.fixtures,
    CheckThenActTests.fixtures,
    CompletionSendableTests.fixtures,
    ContinuationOverwrittenTests.fixtures,
    ContinuationPathsTests.fixtures,
    DetachedSelfTests.fixtures,
    EffectConcurrentTests.fixtures,
    FlagAfterThrowTests.fixtures,
    GenericSendableTests.fixtures,
    HiddenRandomnessTests.fixtures,
    IsolatedDeinitTests.fixtures,
    LockOverAwaitTests.fixtures,
    MainActorBlockingTests.fixtures,
    MainActorCallbackTests.fixtures,
    MainActorRunTests.fixtures,
    MainActorTaskTests.fixtures,
    MainQueueHopTests.fixtures,
    ObservableIsolationTests.fixtures,
    PreconcurrencyConformanceTests.fixtures,
    RedundantMainActorTests.fixtures,
    RedundantUncheckedSendableTests.fixtures,
    ReentrancyTests.fixtures,
    SemaphoreAroundTaskTests.fixtures,
    SharedStreamTests.fixtures,
    StaleIndexTests.fixtures,
    StoredTaskStrongSelfTests.fixtures,
    StreamTerminationTests.fixtures,
    UncheckedSendableTests.fixtures,
    UndrainedGroupTests.fixtures,
    UnhandledActionTests.fixtures,
    UnsafeGlobalTests.fixtures,
    UnstartedEffectTests.fixtures,
    UnstoredTaskTests.fixtures,
    UnusedIgnoreTests.fixtures,
    WeakSelfLoopTests.fixtures,
    YieldSpinTests.fixtures,
  ].flatMap { $0 }

  @Test(arguments: fixtures)
  func `an extension of another module's type in another file changes no finding`(
    fixture: Fixture
  ) {
    fixture.verify(with: [fixture.foreignExtensions])
  }
}

extension Fixture {
  /// A file of the same module that extends each type that the code names and does not declare.
  fileprivate var foreignExtensions: SourceFile {
    let facts = FileFacts(source.tree)
    let declared = facts.types.flatMap { $0.name.split(separator: ".").map(String.init) }
    let parameters = source.tree.tokens(viewMode: .sourceAccurate)
      .filter { $0.parent?.is(GenericParameterSyntax.self) == true }.map(\.text)
    let inherited = facts.types.filter { $0.kind != .extension }.flatMap(\.inheritedNames)
    let names = facts.typeNames.union(inherited).subtracting(declared).subtracting(parameters)
    return SourceFile(
      path: "Extensions.swift",
      text: names.sorted().map { "extension \($0) { func extended() {} }\n" }.joined())
  }
}
