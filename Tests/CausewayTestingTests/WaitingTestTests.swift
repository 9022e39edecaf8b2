import Causeway
import CausewayTesting
import TestSupport
import Testing

/// An actor that effects and the test itself use.
private actor Repository {
  private(set) var rows: [Int] = []
  private(set) var isClosed = false

  func add(_ row: Int) async {
    await suspensionPoint()
    rows.append(row)
  }

  func close() async {
    await suspensionPoint()
    isClosed = true
  }
}

private struct Adder: Interactor {
  let repository: Repository

  var body: some Interactor<Int, Int> {
    Interact(initialValue: 0) { [repository] (_: inout Int, row: Int) in
      .perform(id: "add") { send in
        await repository.add(row)
        let count = await repository.rows.count
        await send { $0 = max($0, count) }
      }
    }
  }
}

/// Opens a gate at which the test waits.
private struct Opener: Interactor {
  let gate: Gate

  var body: some Interactor<Bool, Bool> {
    Interact(initialValue: false) { [gate] (_: inout Bool, _: Bool) in
      .perform(id: "open") { send in
        await suspensionPoint()
        gate.open()
        await send { $0 = true }
      }
    }
  }
}

@MainActor
@Suite(.timeLimit(.minutes(10))) struct `A test that waits for actors that effects use` {
  @Test func `an exploration continues while its test awaits an actor that effects use`() async {
    let result = await exploreInterleavings(
      in: { Repository() }, of: { Adder(repository: $0) }, trials: 200
    ) { model, repository in
      await model.send(1)
      await model.send(2)
      await repository.close()
      await model.send(3)
    } check: { state, _ in
      #expect(state == 3)
    }
    #expect(result.failure == nil)
    #expect(result.trials == 200)
  }

  @Test func `an exploration continues while its test waits for an effect`() async {
    let result = await exploreInterleavings(
      in: { Gate() }, of: { Opener(gate: $0) }, trials: 50
    ) { model, gate in
      await model.send(true)
      await gate.wait()
    } check: { isOpen, _ in
      #expect(isOpen)
    }
    #expect(result.failure == nil)
  }

  @Test func `a check can read the state of an actor`() async {
    let result = await exploreInterleavings(
      in: { Repository() }, of: { Adder(repository: $0) }, script: [1, 2, 3], trials: 100
    ) { _, repository in
      let rows = await repository.rows
      #expect(rows.sorted() == [1, 2, 3])
    }
    #expect(result.failure == nil)
  }

  @Test func `a failing asynchronous check fails a trial`() async {
    struct Closed: Error {}
    let result = await exploreInterleavings(
      in: { Repository() }, of: { Adder(repository: $0) }, script: [1, 2],
      options: ExplorationOptions(reporter: FailureReporter { _, _ in })
    ) { _, repository in
      if await repository.rows == [2, 1] { throw Closed() }
    }
    #expect(result.failure?.reason == "Closed()")
  }

  @Test func `a seed gives the same order even if the test awaits an actor that effects use`() async
  {
    func orders() async -> [[Int]] {
      let orders = Log<[Int]>()
      await exploreInterleavings(
        in: { Repository() }, of: { Adder(repository: $0) }, trials: 40
      ) { model, repository in
        for row in 0..<4 { await model.send(row) }
        await repository.close()
        orders.append(await repository.rows)
        await model.send(4)
      } check: { _, repository in
        orders.append(await repository.rows)
      }
      return orders.all
    }
    let first = await orders()
    #expect(Set(first).count > 10)
    #expect(await orders() == first)
  }

  @Test func `effects of a test model continue while its test waits for one of them`() async {
    let gate = Gate()
    let next = Gate()
    let model = TestModel(
      Interact(initialValue: 0) { (_: inout Int, _: Bool) in
        .perform { send in
          await next.wait()
          await suspensionPoint()
          await send { $0 += 1 }
          gate.open()
        }
      })
    await model.send(true)
    next.open()
    await gate.wait()
    await model.expect { $0 = 1 }
    await model.finish()
  }
}
