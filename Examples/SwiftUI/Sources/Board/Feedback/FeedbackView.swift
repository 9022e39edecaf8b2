import Causeway
import HarborFeatures
import SwiftUI

typealias FeedbackModel = ViewModel<PageViewState.Feedback, FeedbackInteractor.Action>

/// The form for a text to the people who run the server.
///
/// The view keeps the typed text. When the server has the text, the feature shows thanks.
struct FeedbackView: View {
  let feedback: FeedbackModel
  @State private var text = ""

  var body: some View {
    Form {
      if feedback.isWriting {
        TextField("What works, and what does not?", text: $text, axis: .vertical)
        if !feedback.problem.isEmpty { Text(feedback.problem).foregroundStyle(.red) }
        if feedback.isSending {
          ProgressView(value: feedback.part)
        } else {
          // The same text is sent as the same one, so the server stores it once.
          Button(feedback.canRetry ? "Try again" : "Send") { feedback.send(.submit(text)) }
        }
      }
      if feedback.isSent {
        Text("Thank you. Your text has arrived.")
        Button("Write another") {
          text = ""
          feedback.send(.startOver)
        }
      }
    }
    .navigationTitle("Feedback")
    .onAppear { text = feedback.text }
  }
}
