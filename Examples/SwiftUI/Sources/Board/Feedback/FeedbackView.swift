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
          .disabled(feedback.isSending)
        if !feedback.problem.isEmpty { Text(feedback.problem).foregroundStyle(.red) }
        if feedback.isSending {
          ProgressView(value: feedback.part)
        } else {
          // A retry sends the same key, so the server stores the text once.
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
    .onAppear { if text.isEmpty { text = feedback.text } }
  }
}
