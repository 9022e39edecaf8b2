import Causeway
import Foundation
import SwiftUI

/// A meeting that takes place.
struct RecordMeetingView: View {
  let model: ViewModel<RecordMeeting.State, RecordMeeting.Action>

  var body: some View {
    VStack {
      if let meeting = model.meeting {
        ProgressView(value: Double(model.seconds), total: Double(meeting.seconds))
        let remaining = Duration.seconds(meeting.seconds - model.seconds)
        Text(remaining.formatted(.time(pattern: .minuteSecond))).font(.headline)
        ForEach(meeting.attendees) { attendee in
          Text(attendee.name)
            .font(attendee == meeting.attendees[model.turn] ? .headline : .caption)
        }
      }
      Text(model.transcript).foregroundStyle(.secondary)
      HStack {
        Button("End") { model.send(.end) }
        Button("Next") { model.send(.next) }
      }
      .disabled(model.isSaving)
    }
    // The feature asks before a meeting ends.
    .navigationBarBackButtonHidden()
    .alert(model, \.question, answer: RecordMeeting.Action.answer)
  }
}

/// The transcript of a meeting that has taken place.
struct PastMeetingView: View {
  let model: ViewModel<PastMeeting.State, PastMeeting.Action>

  var body: some View {
    List {
      if let recording = model.recording.value {
        Text(recording.transcript).textSelection(.enabled)
      } else if model.recording.failure != nil {
        Button("Try again") { model.send(.appear) }
      } else {
        ProgressView()
      }
    }
    .navigationTitle(model.meeting.title)
  }
}
