import Causeway
import TestSupport
import Testing

@MainActor struct DeparturesRun {
  @Test func `a view model can run the feature`() async {
    let timetable = FixedTimetable()
    // snippet
    let model = ViewModel(Departures(timetable: timetable))
    let task = model.send(.appear)
    #expect(model.isLoading)  // send has returned, so the state is up to date

    await task.finish()
    #expect(model.list.map(\.destination) == ["Mussel Island", "Lighthouse"])
    // end
  }

  @Test func `the view states can be iterated as a sequence`() async {
    let timetable = FixedTimetable()
    let model = ViewModel(Departures(timetable: timetable))
    var lines: [String] = []
    func show(_ line: String) { lines.append(line) }
    model.send(.appear)
    // snippet
    for await state in model.states {
      show(state.isLoading ? "one moment" : "\(state.list.count) ferries")
      if !state.isLoading { break }
    }
    // end
    #expect(lines.last == "2 ferries")
  }

  @Test func `the program prints the output shown in the article`() async throws {
    let texts = Log<String>()
    // snippet
    let model = ViewModel(Departures(timetable: FixedTimetable()), observer: .printChanges())
    // end
    model.send(.dismissProblem)
    let printing = ViewModel(
      Departures(timetable: FixedTimetable()), observer: .printChanges(to: { texts.append($0) }))
    await printing.send(.choosePier("South")).finish()
    let blocks = MarkdownDocument(
      path: "",
      text: try Repository.text("Sources/Runtime/Causeway/Causeway.docc/BuildingAFeature.md")
    ).blocks
    // In the article, the feature belongs to an app.
    let output = texts.all.joined(separator: "\n")
      .replacing("DocumentationTests.", with: "Ferries.")
    #expect(blocks.filter { $0.language == "text" }.map(\.code) == [output])
  }
}

struct FixedTimetable: Timetable {
  func departures(from pier: String) async throws -> [Departure] {
    [
      Departure(id: 1, destination: "Mussel Island", minutes: 4),
      Departure(id: 2, destination: "Lighthouse", minutes: 19),
    ]
  }
}
