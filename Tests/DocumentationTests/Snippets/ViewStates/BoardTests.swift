import Causeway
import Observation
import TestSupport
import Testing

@MainActor struct BoardTests {
  @Test func `a reducer derives what the view shows`() {
    // snippet
    let model = ViewModel(Harbour(), reducer: BoardReducer())
    model.send(.arrive(Ferry(id: 1, name: "Gull", minutes: 12)))
    model.send(.arrive(Ferry(id: 2, name: "Tern", minutes: 5)))
    #expect(model.title == "2 ferries")
    #expect(model.lines == ["Tern in 5 min", "Gull in 12 min"])
    // end
  }

  @Test func `a closure is enough for a small view state`() {
    // snippet
    let model = ViewModel(Harbour(), reducer: { $0.ferries.count })
    model.send(.arrive(Ferry(id: 1, name: "Gull", minutes: 12)))
    #expect(model.viewState == 1)
    // end
  }

  @Test func `a memo recomputes only when its input has changed`() {
    let computed = Log<Int>()
    let count = Memo { (ferries: [Ferry]) in
      computed.append(ferries.count)
      return ferries.count
    }
    let model = ViewModel(Harbour(), reducer: { count($0.ferries) })
    for _ in 0..<5 { model.send(.tick) }
    model.send(.arrive(Ferry(id: 1, name: "Gull", minutes: 12)))
    #expect(computed.all == [0, 1])
  }

  @Test func `a view is notified of changes to the properties that it has read`() {
    let redraws = Log<String>()
    // snippet
    let model = ViewModel(Harbour())
    withObservationTracking {
      _ = model.note
    } onChange: {
      redraws.append("note")
    }
    model.send(.tick)
    #expect(redraws.all.isEmpty)  // only `ticks` has changed
    model.send(.write("Storm"))
    #expect(redraws.all == ["note"])
    // end
  }

  @Test func `a child view model reads from and sends to its parent`() {
    // snippet
    let model = ViewModel(Harbour())
    model.send(.openFinder)
    model.send(.addQuay(7))

    let finder = model.scope(state: \.finder, action: Harbour.Action.finder)  // an optional part
    finder?.send(.edit("North"))
    #expect(finder?.query == "North")

    let quay = model.scope(state: \.quays, id: 7, action: Harbour.Action.quay)  // a row
    quay?.send(.rename("Long Quay"))
    #expect(quay?.name == "Long Quay")

    model.send(.closeFinder)
    #expect(model.scope(state: \.finder, action: Harbour.Action.finder) == nil)
    // end
    #expect(finder?.query == "North")
  }

  @Test func `a view that reads a missing child is notified when the child appears`() {
    let redraws = Log<String>()
    let model = ViewModel(Harbour())
    // snippet
    withObservationTracking {
      _ = model.scope(state: \.finder, action: Harbour.Action.finder)
    } onChange: {
      redraws.append("sheet")
    }
    model.send(.openFinder)
    #expect(redraws.all == ["sheet"])
    // end
  }

  @Test func `states are a stream of the latest values`() async {
    let model = ViewModel(Harbour())
    model.send(.tick)
    // snippet
    var states = model.states.makeAsyncIterator()
    #expect(await states.next()?.ticks == 1)  // the present state, at once
    model.send(.tick)
    model.send(.tick)
    #expect(await states.next()?.ticks == 3)  // the latest, for a consumer that was busy
    // end
  }

  @Test func `a transaction wraps the publication`() {
    let order = Log<String>()
    let model = ViewModel(Harbour())
    withObservationTracking {
      _ = model.note
    } onChange: {
      order.append("told")
    }
    // snippet
    let slowly = UpdateTransaction { publish in
      order.append("begin")
      publish()
      order.append("end")
    }
    model.send(.write("Storm"), slowly)
    #expect(order.all == ["begin", "told", "end"])
    // end
  }
}
