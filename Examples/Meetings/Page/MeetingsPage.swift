import Causeway
import CausewayWeb

/// The pages of the app: each tab has a view model, and all of them share the meetings.
@MainActor struct MeetingsPage {
  let meetings: SharedValue<Meetings>
  let archive: any RecordingArchive
  let transcriber: any Transcriber

  func host(on server: WebServer) throws {
    let template = try PageTemplate(Self.html, name: "Page/MeetingsPage+HTML.swift")
    for address in ["/", "/meetings/:id"] {
      server.page(
        address, template, receiving: PageAction.self, as: \.action, answering: \.answering
      ) { session in
        let model = makeModel()
        // An address leads to its screen, in a new tab and after a restart too.
        model.send(.visit(session.path))
        return model
      }
    }
    server.asset("/meetings.css", Self.css.utf8)
  }

  private func makeModel() -> ViewModel<PageState, MeetingList.Action> {
    let list = MeetingList(meetings: meetings).providing(.archive, archive)
      .providing(.transcriber, transcriber)
    return ViewModel(list, reducer: PageReducer())
  }
}
