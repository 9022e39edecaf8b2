// snippet
@preconcurrency import LegacyPositions
import Observation

/// The values of a position, taken out of the library's class.
nonisolated struct Fix: Equatable, Sendable {
  let latitude: Double
  let longitude: Double

  init(_ position: Position) {
    latitude = position.latitude
    longitude = position.longitude
  }
}

@MainActor @Observable final class PositionModel {
  private(set) var fix: Fix?
  private let receiver = PositionReceiver()

  func locate() {
    receiver.current { @Sendable [weak self] position in  // on the library's thread
      let fix = Fix(position)  // before the task, which cannot have the position
      Task { @MainActor in self?.fix = fix }
    }
  }
}
// end

// snippet
@MainActor final class Helm: PositionReceiverDelegate {
  private(set) var fix: Fix?

  nonisolated func receiver(_ receiver: PositionReceiver, didReceive position: Position) {
    let fix = Fix(position)
    Task { @MainActor in self.fix = fix }
  }
}
// end

// causeway:ignore preconcurrency-conformance the article says when this is right
// snippet
/// Right only for a library that always calls on the main thread.
@MainActor final class CheckedHelm: @preconcurrency PositionReceiverDelegate {
  private(set) var latitude = 0.0

  func receiver(_ receiver: PositionReceiver, didReceive position: Position) {
    latitude = position.latitude
  }
}
// end
