import Causeway
import Testing

@MainActor struct SearchTests {
  @Test func `the last query wins`() async {
    let model = ViewModel(Search { query in ["\(query) guide"] })
    model.send(.edit("swif"))
    let search = model.send(.edit("swift"))
    #expect(model.query == "swift")  // up to date as soon as send returns

    await search.finish()
    #expect(model.results == ["swift guide"])
  }
}
