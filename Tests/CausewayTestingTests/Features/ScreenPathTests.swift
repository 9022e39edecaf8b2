import Causeway
import CausewayTesting
import Foundation
import TestSupport
import Testing

/// A navigation stack as a part of the state.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ScreenPathTests {
  private typealias State = Port.State

  private func port(_ departures: @escaping @Sendable (Int) async -> String) -> Port {
    Port(departures: departures)
  }

  @Test func `screens are pushed and popped, and each has its own child`() async {
    let model = TestModel(port { "ferry \($0)" })
    await model.send(.openPiers) { $0.path = [.piers(Piers.State())] }
    await model.send(.path(.screen(.init(.piers), .piers(.choose(7))))) {
      $0.path.push(.pier(Pier.State(number: 7)))
    }
    await model.send(.path(.screen(.init(.pier(7)), .pier(.load))))
    await model.expect {
      $0.path[id: .init(.pier(7))] = .pier(Pier.State(number: 7, next: "ferry 7"))
    }
    await model.send(.path(.pop)) { $0.path = [.piers(Piers.State())] }
    await model.send(.path(.popTo(nil))) { $0.path = [] }
    // A view may report twice that the user went back.
    await model.send(.path(.pop))
    await model.send(.path(.popTo(.init(.pier(7)))))
    await model.finish()
  }

  @Test func `the effects of a popped screen are cancelled, the others continue`() async {
    let gates = [1: Gate(), 2: Gate()]
    let model = TestModel(
      port {
        await gates[$0]?.wait()
        return "ferry \($0)"
      }, initialState: State(path: [.pier(Pier.State(number: 1)), .pier(Pier.State(number: 2))]))
    await model.send(.path(.screen(.init(.pier(1)), .pier(.load))))
    await model.send(.path(.screen(.init(.pier(2)), .pier(.load))))
    #expect(model.runningEffects.count == 2)
    await model.send(.path(.pop)) { $0.path.pop() }
    #expect(model.runningEffects.count == 1)
    gates[2]?.open()
    await model.settle()
    gates[1]?.open()
    await until { model.runningEffects.isEmpty }
    await model.expect { $0.path = [.pier(Pier.State(number: 1, next: "ferry 1"))] }
    await model.finish()
  }

  @Test func `a deep link keeps the screens that are in both paths`() async {
    let gates = [1: Gate(), 2: Gate()]
    let model = TestModel(
      port {
        await gates[$0]?.wait()
        return "ferry \($0)"
      }, initialState: State(path: [.pier(Pier.State(number: 1)), .pier(Pier.State(number: 2))]))
    await model.send(.path(.screen(.init(.pier(1)), .pier(.load))))
    await model.send(.path(.screen(.init(.pier(2)), .pier(.load))))
    await model.send(.link([.piers(Piers.State()), .pier(Pier.State(number: 2))])) {
      $0.path = [.piers(Piers.State()), .pier(Pier.State(number: 2))]
    }
    #expect(model.runningEffects.count == 1)
    gates[1]?.open()
    gates[2]?.open()
    await until { model.runningEffects.isEmpty }
    await model.expect {
      $0.path = [.piers(Piers.State()), .pier(Pier.State(number: 2, next: "ferry 2"))]
    }
    await model.finish()
  }

  @Test func `a screen dismisses itself with the screens above it`() async {
    let model = TestModel(
      port { "\($0)" },
      initialState: State(
        path: [.piers(Piers.State()), .pier(Pier.State(number: 1)), .pier(Pier.State(number: 2))]))
    await model.send(.path(.screen(.init(.pier(1)), .pier(.close))))
    await model.expect { $0.path = [.piers(Piers.State())] }
    await model.finish()
  }

  @Test func `an action for a missing screen is dropped and reported`() async {
    let failures = Failures()
    let model = TestModel(port { "\($0)" }, reporter: failures.reporter)
    await model.send(.path(.screen(.init(.pier(1)), .pier(.load))))
    #expect(failures.all.count == 1)
    #expect(failures.all.first?.contains("for a missing row") == true)
    await model.finish()
  }

  @Test func `an action that a screen feeds back reaches its parent as an action of the path`()
    async
  {
    let model = TestModel(
      port { "\($0)" }, initialState: State(path: [.pier(Pier.State(number: 1))]))
    await model.send(.path(.screen(.init(.pier(1)), .pier(.ask))))
    await model.receive(\.path, .screen(.init(.pier(1)), .pier(.answer))) { $0.answers = 1 }
    await model.finish()
  }

  @Test func `effects of a screen read and change the screen`() async {
    let model = TestModel(
      port { "\($0)" },
      initialState: State(path: [.pier(Pier.State(number: 1, next: "old"))]))
    await model.send(.path(.screen(.init(.pier(1)), .pier(.double))))
    await model.expect { $0.path = [.pier(Pier.State(number: 1, next: "oldold"))] }
    await model.finish()
  }

  @Test func `an effect of a popped screen may still read a state`() async {
    let (started, gate) = (Gate(), Gate())
    let read = Log<Int>()
    let model = ViewModel(
      Port(
        departures: { _ in "" },
        watch: { number in
          started.open()
          await gate.wait()
          read.append(await number())
        }), initialState: State(path: [.pier(Pier.State(number: 7))]))
    let task = model.send(.path(.screen(.init(.pier(7)), .pier(.watch))))
    await started.wait()
    model.send(.path(.pop))
    gate.open()
    await task.finish()
    await read.wait(for: 1)
    // The read returns the initial value of the interactor, because the screen does not exist.
    #expect(read.all == [0])
  }

  @Test func `the same screen can be in a path several times`() {
    var path: ScreenPath<Screen> = [.pier(Pier.State(number: 1)), .pier(Pier.State(number: 2))]
    let second = path.push(.pier(Pier.State(number: 1)))
    #expect(second == ScreenID(.pier(1), copy: 1))
    #expect("\(second)" == "pier(1) #1")
    #expect(path.ids == [ScreenID(.pier(1)), ScreenID(.pier(2)), second])
    path[id: ScreenID(.pier(1))] = nil
    #expect(path.push(.pier(Pier.State(number: 1))) == ScreenID(.pier(1)))
    #expect(path.ids == [ScreenID(.pier(2)), second, ScreenID(.pier(1))])
  }

  @Test func `popTo removes the screens above`() {
    let screens = (1...4).map { Screen.pier(Pier.State(number: $0)) }
    var path = ScreenPath(screens)
    path.popTo(ScreenID(.pier(9)))
    #expect(path.count == 4)
    path.popTo(ScreenID(.pier(3)))
    #expect(path.screens == Array(screens[..<3]))
    path.popTo { $0.pier?.number == 1 }
    #expect(path.last == screens[0])
    path.popToRoot()
    #expect(path.isEmpty)
    #expect(path.pop() == nil)
  }

  @Test func `the view of the stack observes the ids, and a screen's view observes the screen`() {
    let model = ViewModel(
      port { "\($0)" },
      initialState: State(path: [.piers(Piers.State()), .pier(Pier.State(number: 1))]))
    let pier = model.screen(\.path, id: ScreenID(.pier(1)), action: Port.Action.path)?
      .scope(state: \.pier, action: ScreenAction.pier)
    let (ids, other, text) = (Invalidations(), Invalidations(), Invalidations())
    ids.observe { model.screenIDs(\.path) }
    other.observe {
      model.screen(\.path, id: ScreenID(.piers), action: Port.Action.path)?.viewState
    }
    text.observe { pier?.next }
    pier?.send(.rename("Lighthouse"))
    #expect(pier?.next == "Lighthouse")
    #expect((ids.count, text.count) == (0, 1))
    model.send(.path(.pop))
    #expect(ids.count == 1)
    #expect(model.screen(\.path, id: ScreenID(.pier(1)), action: Port.Action.path) == nil)
  }

  @Test func `a path is stored and restored`() throws {
    struct Page: Codable, Equatable, Identifiable, Sendable { let id: Int }
    let path = ScreenPath([Page(id: 1), Page(id: 2), Page(id: 1)])
    let data = try JSONEncoder().encode(path)
    let restored = try JSONDecoder().decode(ScreenPath<Page>.self, from: data)
    #expect(restored == path)
    #expect(restored.ids == path.ids)
    let action = try JSONDecoder().decode(
      PathAction<Page, Int>.self, from: Data(#"{"popTo":{"_0":{"base":1,"copy":0}}}"#.utf8))
    #expect(action == .popTo(ScreenID(1)))
  }

  @Test func `a failure names the field of the screen that differs`() async {
    let failures = Failures()
    let model = TestModel(
      port { "\($0)" }, initialState: State(path: [.pier(Pier.State(number: 1))]),
      reporter: failures.reporter)
    await model.send(.path(.screen(.init(.pier(1)), .pier(.rename("a"))))) {
      $0.path = [.pier(Pier.State(number: 1, next: "b"))]
    }
    #expect(failures.all.first?.contains("path[0].screen") == true, "\(failures.all)")
    await model.finish()
  }

  @Test func `an exploration with pops finds no change of a popped screen`() async {
    await exploreInterleavings(
      of: port {
        await suspensionPoint()
        return "ferry \($0)"
      },
      script: [
        .link([.pier(Pier.State(number: 1))]), .path(.screen(.init(.pier(1)), .pier(.load))),
        .path(.pop), .link([.pier(Pier.State(number: 1))]),
      ], trials: 200
    ) { state in
      // The load belongs to the screen that was popped.
      #expect(state.path.screens.allSatisfy { $0.pier?.next == "" || $0.pier?.next == "ferry 1" })
    }
  }
}
