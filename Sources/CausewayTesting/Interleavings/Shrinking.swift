/// Makes a failing trial as short as it gets: first its script, then what is special in its order.
@MainActor
struct Shrinking<State: Sendable, Action: Sendable, World> {
  /// A trial that fails.
  struct Found {
    var script: TrialScript<Action>?
    var choices: [Int]
    var failure: String
  }

  let trial: Trial<State, Action, World>
  /// How many trials each shorter script gets to fail.
  let seedsPerScript: Int

  /// Complexity: O(*n*²) trials in the worst case, for a script of *n* actions.
  func shrink(_ found: Found) async -> Found {
    var found = found
    if let script = found.script { await shortenScript(&found, script) }
    await straighten(&found)
    return found
  }

  /// Leaves out ever smaller parts of the script, as long as some order of the rest still fails.
  private func shortenScript(_ found: inout Found, _ script: TrialScript<Action>) async {
    var steps = script.steps
    var size = max(1, steps.count / 2)
    while size >= 1 {
      var start = 0
      var isShorter = false
      while start < steps.count {
        var shorter = steps
        shorter.removeSubrange(start..<min(start + size, shorter.count))
        if let failing = await failing(TrialScript(steps: shorter)) {
          found = failing
          steps = shorter
          isShorter = true
        } else {
          start += size
        }
      }
      if size > 1 {
        size /= 2
      } else if !isShorter {
        return
      }
    }
  }

  private func failing(_ script: TrialScript<Action>) async -> Found? {
    for seed in 0..<UInt64(seedsPerScript) {
      let outcome = await trial.perform(Chooser(seed: seed), script: script)
      if let failure = outcome.failure {
        return Found(script: script, choices: outcome.choices.map(\.taken), failure: failure)
      }
    }
    return nil
  }

  /// Replaces choices by the plain one, the first of those there are, where it fails all the same.
  private func straighten(_ found: inout Found) async {
    var size = max(1, found.choices.count / 2)
    while size >= 1 {
      var start = 0
      while start < found.choices.count {
        let end = min(start + size, found.choices.count)
        if found.choices[start..<end].contains(where: { $0 != 0 }) {
          var choices = found.choices
          for index in start..<end { choices[index] = 0 }
          let outcome = await trial.perform(Chooser(choices: choices), script: found.script)
          if let failure = outcome.failure {
            found.choices = choices
            found.failure = failure
          }
        }
        start = end
      }
      size /= 2
    }
  }
}
