import CausewayTesting
import TestSupport
import Testing

@testable import Causeway

/// Lines of steps in a log.
@MainActor @Suite(.timeLimit(.minutes(10))) struct StepLogTests {
  struct Accounts: Interactor {
    struct State: Equatable, Sendable {
      var names: [String: Int] = [:]
      var country = "none"
    }

    enum Country: Sendable { case france }

    enum Action: Sendable {
      case add(String)
      case choose(Country)
      case row(String, Row.Action)
      case clear
    }

    enum Row {
      enum Action: Sendable { case rename(String) }
    }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, action in
        switch action {
        case .add(let name):
          return .perform(id: "add \(name)") { send in await send { $0.names[name] = 1 } }
        case .choose(let country): state.country = "\(country)"
        case .row(let name, .rename(let new)): state.names[new] = state.names[name]
        case .clear: state = State()
        }
        return .state
      }
    }
  }

  private func lines(showsValues: Bool) async -> [String] {
    let log = Log<String>()
    let model = TestModel(
      Accounts(), exhaustivity: .off, observer: .log(showsValues: showsValues) { log.append($0) })
    await model.send(.add("ada"))
    await model.send(.choose(.france))
    await model.send(.row("ada", .rename("ben")))
    await model.send(.clear)
    await model.send(.clear)
    await model.finish()
    return log.all
  }

  @Test func `a line has names of cases and fields, and no values`() async {
    #expect(
      await lines(showsValues: false) == [
        "step 1: action add, changed nothing",
        "step 2: update from effect #1, started by step 1, changed names",
        "step 3: action choose, changed country",
        "step 4: action row.rename, changed names",
        "step 5: action clear, changed names, country",
        "step 6: action clear, changed nothing",
      ])
  }

  @Test func `with values, a line has the payload, the effect and the changes`() async {
    let lines = await lines(showsValues: true)
    #expect(lines.count == 6)
    #expect(lines[0].hasSuffix("(the action add(\"ada\"))"), "\(lines[0])")
    #expect(lines[1].contains("add ada #1"), "\(lines[1])")
    #expect(lines[2].contains("country: \"none\" → \"france\""), "\(lines[2])")
  }

  @Test(arguments: [false, true])
  func `a line compares the states once`(showsValues: Bool) {
    struct Counted: Sendable, CustomReflectable {
      static let reads = Log<Int>()
      var number = 0
      var customMirror: Mirror {
        Self.reads.append(number)
        return Mirror(self, children: ["number": number])
      }
    }
    func reads(_ work: () -> Void) -> Int {
      let before = Counted.reads.all.count
      work()
      return Counted.reads.all.count - before
    }
    let (old, new) = (Counted(number: 1), Counted(number: 2))
    let once = reads { _ = Difference(expected: old, actual: new) }
    #expect(once > 0)
    let observer = StepObserver<Counted, Int>.log(showsValues: showsValues) { _ in }
    let step = Step<Counted, Int>(
      number: 1, cause: .action(7, effect: nil), effectNumber: nil, origin: 1, before: old,
      after: new)
    #expect(reads { observer.observe?(step) } == once)
  }

  @Test func `an action of a child is logged with the case of the child`() {
    let action = Port.Action.path(.screen(.init(.pier(7)), .pier(.rename("Ada"))))
    #expect(CaseNames.of(action) == "path.screen.pier.rename")
    #expect(CaseNames.of(Port.Action.path(.popTo(.init(.pier(7))))) == "path.popTo")
    #expect(CaseNames.of(Port.Action.openPiers) == "openPiers")
  }

  @Test func `an action with a custom description is logged by its type`() {
    enum Secret: CustomStringConvertible {
      case login
      var description: String { "password 1234" }
    }
    struct Text { let text = "1234" }
    #expect(CaseNames.of(Secret.login) == "Secret")
    #expect(CaseNames.of(Text()) == "Text")
    #expect(CaseNames.of("1234") == "String")
    #expect(CaseNames.of(1234) == "Int")
  }

  @Test(arguments: [
    ("rows[3].name", "rows"), ("names[\"ada\"]", "names"), ("", "state"), ("[\"ada\"]", "state"),
  ])
  func `a path is shortened to its first field`(path: String, field: String) {
    #expect(StepLine.field(of: path) == field)
  }

  @Test func `a release build logs only with inRelease`() {
    typealias Observer = StepObserver<Int, Int>
    #expect(
      (Observer.systemLog("a", subsystem: "b") != nil) == BuildConfiguration.isDebug)
    #expect(Observer.systemLog("a", subsystem: "b", inRelease: true) != nil)
    // The log can be the observer of a view model in either build.
    let model = ViewModel(Accounts(), observer: .systemLog("accounts", subsystem: "test"))
    model.send(.choose(.france))
    #expect(model.country == "france")
  }
}
