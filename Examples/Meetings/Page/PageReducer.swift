import Causeway
import Foundation

/// Derives what a page shows from the state of the app.
struct PageReducer: ViewStateReducer {
  func reduce(_ state: MeetingList.State) -> PageState {
    let screen = state.path.last
    let id = state.path.ids.last
    let form = screen?.detail?.destination?.form ?? (screen == nil ? state.form : nil)
    return PageState(
      address: state.address, isList: screen == nil,
      rows: state.meetings.map { meeting in
        PageState.Row(
          id: meeting.id, title: meeting.title, colour: meeting.colour.rawValue,
          attendees: meeting.attendees.count, minutes: meeting.minutes)
      },
      screen: id,
      form: form.map { PageState.Form(screen: id, meeting: $0.meeting, problem: $0.problem) },
      detail: screen?.detail.map(detail), record: screen?.record.map(record),
      past: screen?.past.map(past))
  }

  private func detail(_ state: MeetingDetail.State) -> PageState.Detail {
    PageState.Detail(
      meeting: state.meeting, recordings: Array(state.recordings.elements),
      hasMore: state.recordings.hasNextPage && !state.recordings.isLoading,
      isLoading: state.recordings.isLoading, hasFailed: state.recordings.failure != nil,
      problem: state.problem,
      question: state.destination?.question.map(PageState.Question.init))
  }

  private func record(_ state: RecordMeeting.State) -> PageState.Record {
    let names = state.meeting?.attendees.map(\.name) ?? []
    let total = state.meeting?.seconds ?? 0
    let remaining = max(0, total - state.seconds)
    return PageState.Record(
      title: state.meeting?.title ?? "", speaker: names.isEmpty ? "" : names[state.turn],
      next: state.turn + 1 < names.count ? names[state.turn + 1] : nil,
      progress: total == 0 ? 1 : Double(state.seconds) / Double(total),
      remaining: Duration.seconds(remaining).formatted(.time(pattern: .minuteSecond)),
      transcript: state.transcript, isSaving: state.isSaving,
      question: state.question.map(PageState.Question.init))
  }

  private func past(_ state: PastMeeting.State) -> PageState.Past {
    PageState.Past(
      meeting: state.meeting, recording: state.recording.value,
      isLoading: state.recording.isLoading, hasFailed: state.recording.failure != nil)
  }
}

extension PageState.Question {
  init(_ dialog: Dialog<Choice>) {
    self.init(
      title: dialog.title, message: dialog.message,
      buttons: dialog.buttons.map { Button(title: $0.title, answer: $0.answer) })
  }
}
