import Synchronization

/// An effect that an answer waits for.
package struct RunningEffect: Sendable, Hashable, CustomStringConvertible {
  /// The id of the effect; for an effect without an id, its source location.
  let name: String
  /// The file and the line of the call that made the effect.
  let place: String

  package var description: String { name.hasPrefix(place) ? name : "\"\(name)\" at \(place)" }
}

/// The effects of an action have not ended in the time that the page waits for them.
struct SlowAnswer: Error, CustomStringConvertible {
  let action: String
  let effects: [RunningEffect]
  let time: Duration

  var description: String {
    """
    The page has waited \(time) for the effects of the action "\(action)". Still running: \
    \(effects.map(\.description).joined(separator: ", ")). If such an effect runs until it is \
    cancelled, start it with .observe, because answers do not wait for observations. If it is only \
    slow and stores nothing, answer the action .atOnce.
    """
  }
}

/// The effects that were reported, by their source locations.
///
/// Each effect is reported once, and not again for each page that sends the action.
final class SlowAnswers: Sendable {
  private let reported = Mutex<Set<String>>([])

  /// Returns the report of an answer, or nil if all its effects were reported before.
  func report(_ completion: HostedModel.Completion, of effects: [RunningEffect], time: Duration)
    -> SlowAnswer?
  {
    let new = reported.withLock { reported in
      effects.filter { reported.insert($0.place).inserted }
    }
    guard !new.isEmpty else { return nil }
    return SlowAnswer(action: completion.action, effects: new, time: time)
  }
}
