import CausewaySystem

/// Shortens a failing trial: first its script, then the deviations of its order.
@MainActor
struct Shrinking<State: Sendable, Action: Sendable, World> {
  typealias ScriptStep = Trial<State, Action, World>.ScriptStep

  /// A trial that fails.
  struct Found {
    var script: [ScriptStep]?
    var choices: [Int]
    var failure: Trial<State, Action, World>.Failure
    /// The turn of each step.
    var order: [Turn] = []
  }

  let trial: Trial<State, Action, World>
  /// The number of additional orders to try for each shorter script.
  let seedsPerScript: Int
  let search: ExplorationOptions.Search

  /// Complexity: O(*n*²) trials in the worst case, for a script of *n* actions.
  func shrink(_ found: Found) async -> Found {
    var found = found
    if found.script != nil { await shortenScript(&found) }
    await straighten(&found)
    return found
  }

  /// Removes parts of the script, large parts first, if the remaining script still fails in some
  /// order.
  private func shortenScript(_ found: inout Found) async {
    let outcome = await trial.perform(
      EffectChooser(repeating: TrialOrder(choices: found.choices), keepsOrder: true),
      script: found.script)
    found.order = outcome.order
    var parts = PartShrinking(count: found.script?.count ?? 0)
    while !Task.isCancelled, let script = found.script, let range = parts.next() {
      var shorter = script
      shorter.removeSubrange(range)
      guard let failing = await failing(shorter, found.order) else { continue }
      found = failing
      parts.keep(count: shorter.count)
    }
  }

  /// Tries a shorter script in the order of the longer one, and then in other orders.
  private func failing(_ script: [ScriptStep], _ order: [Turn]) async -> Found? {
    if let found = await failing(script, EffectChooser(following: order)) { return found }
    for seed in 0..<UInt64(seedsPerScript) where !Task.isCancelled {
      let chooser = EffectChooser(seed: seed, search: search, keepsOrder: true)
      if let found = await failing(script, chooser) { return found }
    }
    return nil
  }

  private func failing(_ script: [ScriptStep], _ chooser: EffectChooser) async -> Found? {
    let outcome = await trial.perform(chooser, script: script)
    guard let failure = outcome.failure, failure.canShrink, !Task.isCancelled else { return nil }
    return Found(
      script: script, choices: outcome.choices, failure: failure,
      order: outcome.order)
  }

  /// Replaces choices by the first possible step, if the trial then still fails.
  private func straighten(_ found: inout Found) async {
    var shrinking = ChoiceShrinking(found.choices)
    while !Task.isCancelled, let choices = shrinking.next() {
      let outcome = await trial.perform(
        EffectChooser(repeating: TrialOrder(choices: choices)), script: found.script)
      guard let failure = outcome.failure, failure.canShrink else { continue }
      shrinking.keep(choices)
      found.choices = choices
      found.failure = failure
    }
  }
}
