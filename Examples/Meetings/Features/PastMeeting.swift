import Causeway
import Foundation

/// The screen of a recording, whose transcript is loaded.
struct PastMeeting: Interactor {
  struct State: Equatable, Identifiable, Sendable {
    let id: Recording.ID
    let meeting: Meeting
    var recording = Loadable<Recording>()
  }

  enum Action: Codable, Equatable, Sendable {
    case appear
  }

  var body: some InteractorOf<Self> {
    InteractWithValues { state, action, values in
      switch action {
      case .appear:
        state.recording.begin()
        return .perform(.latest, id: "load") { [id = state.id, meeting = state.meeting.id] send in
          let recording = try await values[.archive].recording(id, of: meeting)
          await send { $0.recording.finish(recording) }
        } catch: { state, error in
          state.recording.fail(error)
        }
      }
    }
  }
}
