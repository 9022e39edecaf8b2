import LegacyPositions
import TestSupport
import Testing

/// The code of the article on crossing isolation, and the article's claims.
@Suite(.timeLimit(.minutes(10)))
struct CrossingIsolationTests {
  private struct Offline: Error {}

  @Test func `a mock records its calls from any task`() async throws {
    let mock = MockForecastService { _ in Forecast(wind: 4) }
    try await withThrowingDiscardingTaskGroup { group in
      for number in 0..<10 { group.addTask { _ = try await mock.forecast(for: "\(number)") } }
    }
    #expect(Set(mock.harbours) == Set((0..<10).map { "\($0)" }))
  }

  @Test func `a service throws what its server throws`() async {
    let service = RemoteForecastService { _ in throw Offline() }
    await #expect(throws: Offline.self) { try await service.forecast(for: "Kiel") }
  }

  @Test func `a subclass of an unchecked class crosses into a task`() async {
    let chart: Chart = TideChart(name: "Fjord", levels: [1])
    #expect(await Task { chart.name }.value == "Fjord")
  }

  @MainActor @Test func `a Sendable body is passed from the main actor to an actor`() async {
    let uploader = Uploader()
    await UploadForm(uploader: uploader).save(Forecast(wind: 3))
    #expect(await uploader.paths == ["/logs"])
  }

  @MainActor @Test func `the values of a position arrive on the main actor`() async {
    let model = PositionModel()
    model.locate()
    await until { model.fix != nil }
    #expect(model.fix == Fix(Position(latitude: 54.4, longitude: 10.2)))
  }

  @MainActor @Test func `a nonisolated delegate method may be called on any thread`() async {
    let (receiver, helm) = (PositionReceiver(), Helm())
    receiver.delegate = helm
    receiver.simulate(latitude: 54.4, longitude: 10.2)
    await until { helm.fix != nil }
    #expect(helm.fix == Fix(Position(latitude: 54.4, longitude: 10.2)))
  }

  @MainActor @Test func `a closure gets a copy of main-actor state`() async {
    let logbook = Logbook()
    logbook.entries = ["cast off"]
    let written = Log<[String]>()
    logbook.save(with: { $0() }, to: { written.append($0) })
    #expect(written.all == [["cast off"]])
  }
}
