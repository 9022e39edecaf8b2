import Causeway
import Foundation
import SwiftUI

/// A meeting with its attendees and its recordings.
struct MeetingDetailView: View {
  let model: ViewModel<MeetingDetail.State, MeetingDetail.Action>

  var body: some View {
    List {
      if let meeting = model.meeting {
        Section("\(meeting.minutes) minutes") {
          ForEach(meeting.attendees) { Text($0.name) }
          Button("Begin") { model.send(.record) }
          Button("Edit") { model.send(.edit) }
          Button("Delete", role: .destructive) { model.send(.delete) }
          if let problem = model.problem { Text(problem).foregroundStyle(.red) }
        }
      } else {
        Text("This meeting was deleted.")
      }
      Section("Past meetings") {
        ForEach(model.recordings.elements) { recording in
          Button(recording.date.formatted()) { model.send(.open(recording.id)) }
        }
        if model.recordings.isLoading {
          ProgressView()
        } else if model.recordings.hasNextPage {
          Button("Show more") { model.send(.showMore) }
        }
        if model.recordings.failure != nil { Text("They could not be loaded.") }
      }
    }
    .navigationTitle(model.meeting?.title ?? "")
    .refreshable { await model.send(.refresh).finish() }
    .confirmationDialog(model, \.destination?.question, answer: MeetingDetail.Action.answer)
    .sheet(
      model, \.destination?.form, action: MeetingDetail.Action.form, dismissal: .form(.cancel)
    ) { MeetingFormView(form: $0) }
  }
}
