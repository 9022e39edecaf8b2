import Causeway
import Observation

/// Costs that must not grow with the number of rows, consumers or observed parts.
extension Bench {
  mutating func measureGrowth() async {
    measureRowModels()
    await measureConsumers()
    measureChanges()
    measurePlainReads()
    measureCreation()
    await measureRowEffects()
    measureRowSheets()
    await measureSheets(isYielding: false)
    await measureSheets(isYielding: true)
  }

  /// Sends that change no row, while row view models are observed.
  private mutating func measureRowModels() {
    for count in [10, 1_000, 10_000] {
      let alone = ViewModel(Rows(count: count))
      let observed = ViewModel(Rows(count: count))
      let children = observed.scopes(state: \.rows, action: Rows.Action.row)
      withObservationTracking {
        for child in children { _ = child.count }
      } onChange: {
      }
      measure(
        "send, \(count) row view models observed, none affected", target: "<= floor + 100 ns",
        operations: 100_000
      ) {
        for _ in 0..<$0 { alone.send(.ping) }
      } work: {
        for _ in 0..<$0 { observed.send(.ping) }
      }
      measureChangedRow(observed, children)
    }
  }

  /// Sends that each change one row, whose view is then read again.
  private mutating func measureChangedRow(
    _ model: ViewModel<Rows.State, Rows.Action>, _ rows: [ViewModel<Leaf.State, Leaf.Action>]
  ) {
    measure(
      "send to a row and read it again, \(rows.count) rows observed",
      target: "<= 2 µs at any number", operations: 20_000
    ) {
      for index in 0..<$0 {
        let row = index % rows.count
        model.send(.row(row, .increment))
        withObservationTracking {
          _ = rows[row].count
        } onChange: {
        }
      }
    }
  }

  /// Sends while consumers of `states` do not request an element.
  private mutating func measureConsumers() async {
    for count in [1, 100, 1_000] {
      let model = ViewModel(Worker())
      var consumers: [ViewStates<Worker.State>.Iterator] = []
      for _ in 0..<count {
        var consumer = model.states.makeAsyncIterator()
        _ = await consumer.next()
        consumers.append(consumer)
      }
      measureSends(beside: consumers, model)
    }
    await measureTakingConsumers(1_000)
  }

  /// Sends while consumers of `states` take each element.
  private mutating func measureTakingConsumers(_ count: Int) async {
    let model = ViewModel(Worker())
    let taken = Count()
    let board = Board()
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<count {
      tasks.append(Task { for await _ in model.states { taken.value += 1 } })
      tasks.append(Task { while await board.next() { board.taken += 1 } })
    }
    while taken.value < count || board.waiterCount < count { await Task.yield() }
    await measure(
      "send, \(count) consumers of states that take each", target: "<= 1.5 x floor", operations: 50
    ) {
      for _ in 0..<$0 {
        board.taken = 0
        board.publish(true)
        while board.taken < count { await Task.yield() }
      }
    } work: {
      for _ in 0..<$0 {
        taken.value = 0
        model.send(.count)
        while taken.value < count { await Task.yield() }
      }
    }
    for task in tasks { task.cancel() }
    board.publish(false)
  }

  private mutating func measureSends(
    beside consumers: [ViewStates<Worker.State>.Iterator],
    _ model: ViewModel<Worker.State, Worker.Action>
  ) {
    measure(
      "send, \(consumers.count) consumers of states that do not take",
      target: "<= 50 ns a consumer", operations: 10_000
    ) {
      for _ in 0..<$0 { model.send(.count) }
    }
    withExtendedLifetime(consumers) {}
  }

  private mutating func measureChanges() {
    let form = FormByHand()
    let plain = ViewModel(Form())
    let watched = ViewModel(
      Form()
        .onChange(of: \.other) { _, _ in .state }
        .onChange(of: \.name) { _, _ in .state }
        .onChange(of: \.flag) { _, _ in .state }
        .onChange(of: \.size) { _, _ in .state }
        .onChange(of: \.title) { _, _ in .state })
    measure("onChange of five key paths, none changes", target: "<= 150 ns", operations: 500_000) {
      for _ in 0..<$0 { form.handle(&form.state, .increment) }
    } work: {
      for _ in 0..<$0 { watched.send(.increment) }
    }
    measure("send with a string", target: "<= 30 ns", operations: 500_000) {
      for _ in 0..<$0 { form.handle(&form.state, .rename("a name that is not short")) }
    } work: {
      for _ in 0..<$0 { plain.send(.rename("a name that is not short")) }
    }
  }

  /// Measures view models that are made, used once and released.
  private mutating func measureCreation() {
    var sum = 0
    measure("a view model made", target: "<= 1 µs", operations: 100_000) {
      for _ in 0..<$0 { sum &+= ViewModel(Leaf()).runningEffects.count }
    }
    measure("50 scopes resolved", target: "<= 15 µs", operations: 5_000) {
      for _ in 0..<$0 { sum &+= Siblings(count: 50).resolve().initialValue.leaf.count }
    }
    let rows = ViewModel(Rows(count: 100))
    measure("a row's view model made again", target: "<= 1 µs", operations: 100_000) {
      for index in 0..<$0 {
        sum &+= rows.scope(state: \.rows, id: index % 100, action: Rows.Action.row) == nil ? 1 : 0
      }
    }
    if sum == 1 { print(sum) }
  }

  /// Measures reads outside of an observation.
  private mutating func measurePlainReads() {
    let plain = PlainForm()
    let model = ViewModel(Form())
    var sum = 0
    measure("plain read of a property", target: "<= 1.0 x floor", operations: 500_000) {
      for _ in 0..<$0 { sum &+= plain.count }
    } work: {
      for _ in 0..<$0 { sum &+= model.count }
    }
    measure("plain read of an array's count", target: "<= 1.0 x floor", operations: 500_000) {
      for _ in 0..<$0 { sum &+= plain.items.count }
    } work: {
      for _ in 0..<$0 { sum &+= model.items.count }
    }
    measure(
      "change of one element after a plain read of the array", target: "no copy",
      operations: 100_000
    ) {
      for index in 0..<$0 {
        sum &+= model.items.count
        model.send(.touch(index & 511))
      }
    }
    if sum == 1 { print(sum) }
  }

  /// One effect in each of a thousand rows, compared with as many effects at the root.
  private mutating func measureRowEffects() async {
    let count = 1_000
    let root = ViewModel(Worker())
    let rows = ViewModel(WorkingRows(count: count))
    await measure("one effect in each of 1,000 rows", target: "<= 1.5 x floor", operations: count) {
      for _ in 0..<$0 { root.send(.start(1)) }
      while !root.runningEffects.isEmpty { await Task.yield() }
    } work: {
      for index in 0..<$0 { rows.send(.row(index, .start(1))) }
      while !rows.runningEffects.isEmpty { await Task.yield() }
    }
  }

  /// Measures sends while each row has a sheet with an effect.
  private mutating func measureRowSheets() {
    for count in [10, 1_000, 10_000] {
      let rows = ViewModel(WorkingBoard(count: count))
      for row in 0..<count { rows.send(.row(row, .sheet(.wait))) }
      measure(
        "send, an effect in a sheet of each of \(count) rows", target: "<= 500 ns at any number",
        operations: 20_000
      ) {
        for _ in 0..<$0 { rows.send(.ping) }
      }
      measure(
        "send to a row, an effect in a sheet of each of \(count)",
        target: "<= 2 µs at any number", operations: 20_000
      ) {
        for index in 0..<$0 { rows.send(.row(index % count, .ping)) }
      }
    }
  }

  /// Shows an optional child, starts an effect in it, and hides it, which cancels the effect.
  ///
  /// The floor is a task that is created and cancelled. With a yield after each round, most of the
  /// time is spent on thread switches.
  private mutating func measureSheets(isYielding: Bool) async {
    let model = ViewModel(WorkingSheet())
    let tally = Tally()
    var sheet: Worker.State?
    await measure(
      "ifLet: show, start an effect, hide" + (isYielding ? ", yield" : ""),
      target: "<= floor + 3 µs", operations: 10_000
    ) {
      for _ in 0..<$0 {
        sheet = Worker.State()
        let task = Task { @concurrent in
          if !Task.isCancelled { await tally.add(1) }
        }
        sheet = nil
        task.cancel()
        if isYielding { await Task.yield() }
      }
    } work: {
      for _ in 0..<$0 {
        model.send(.show(true))
        model.send(.sheet(.start(1)))
        model.send(.show(false))
        if isYielding { await Task.yield() }
      }
    }
    withExtendedLifetime(sheet) {}
  }
}

/// A number that tasks of the main actor share.
@MainActor
private final class Count {
  var value = 0
}

/// Consumers of a value without Causeway: each waits with a continuation.
@MainActor
private final class Board {
  var taken = 0
  private var waiters: [CheckedContinuation<Bool, Never>] = []

  var waiterCount: Int { waiters.count }

  /// Returns false at the end.
  func next() async -> Bool {
    await withCheckedContinuation { waiters.append($0) }
  }

  func publish(_ goesOn: Bool) {
    let resumed = waiters
    waiters = []
    for waiter in resumed { waiter.resume(returning: goesOn) }
  }
}
