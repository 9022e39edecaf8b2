import Causeway
import CausewayInspector

/// The code of the article about the inspector.
@MainActor
enum InspectorSnippets {
  static func begin() async throws -> ViewModel<Search.State, Search.Action> {
    // snippet
    let inspector = try Inspector()
    let model = ViewModel(Search(), observer: .inspected(by: inspector))
    print("Inspector at \(try await inspector.start())")
    // end
    return model
  }

  static func follow(_ inspector: Inspector) {
    // snippet
    inspector.followData()
    // end
  }

  static func redact() -> Redaction<Search.State, Search.Action> {
    // snippet
    let redaction = Redaction<Search.State, Search.Action>()
      .hiding(\.diary).hiding(named: "write")
    // end
    return redaction
  }

  static func fork(_ inspector: Inspector) -> ViewModel<Search.State, Search.Action> {
    // snippet
    let model = ViewModel(
      Search(),
      observer: .inspected(by: inspector) { state, observer in
        ViewModel(Search(), initialState: state, observer: observer)
      })
    // end
    return model
  }
}
