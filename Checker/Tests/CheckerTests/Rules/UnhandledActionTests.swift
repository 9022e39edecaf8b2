import Testing

@testable import causeway

struct UnhandledActionTests {
  static let fixtures = [
    Fixture(
      UnhandledAction.self, "an action that only default handles",
      """
      struct Feed: Interactor {
        enum Action { case refresh, 1️⃣open(Int) }
        func handle(_ action: Action) {
          switch action {
          case .refresh: load()
          default: break
          }
        }
      }
      """),
    Fixture(
      UnhandledAction.self, "a case for each",
      """
      struct Feed: Interactor {
        enum Action { case refresh, open(Int) }
        func handle(_ action: Action) {
          switch action {
          case .refresh: load()
          case .open(let id): print(id)
          }
        }
      }
      """),
    Fixture(
      UnhandledAction.self, "a pattern of if case",
      """
      struct Feed: Interactor {
        enum Action { case refresh }
        func handle(_ action: Action) { if case .refresh = action { load() } }
      }
      """),
    Fixture(
      UnhandledAction.self, "another enum",
      "struct Page { enum Action { case tap } }"),
  ]

  @Test(arguments: fixtures)
  func `unhandled-action reports at the markers`(fixture: Fixture) { fixture.verify() }
}
