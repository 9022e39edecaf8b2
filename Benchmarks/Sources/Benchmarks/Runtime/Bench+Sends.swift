import Causeway

extension Bench {
  mutating func measureSends() {
    let count = 1_000_000
    let form = FormByHand()
    let model = ViewModel(Form())
    measure(
      "send, no effect, not observed", target: "<= 20 ns, 0 allocations", operations: count,
      mayAllocate: false
    ) {
      for index in 0..<$0 { form.handle(&form.state, index & 1 == 0 ? .increment : .set(index)) }
    } work: {
      for index in 0..<$0 { model.send(index & 1 == 0 ? .increment : .set(index)) }
    }
    measure(
      "send, 1,000-element array mutated", target: "<= 20 ns, no copy", operations: count,
      mayAllocate: false
    ) {
      for index in 0..<$0 { form.handle(&form.state, .touch(index & 511)) }
    } work: {
      for index in 0..<$0 { model.send(.touch(index & 511)) }
    }
    measureScopes(count, form)
    measureRows(count, form)
  }

  private mutating func measureScopes(_ count: Int, _ form: FormByHand) {
    let one = ViewModel(Level1())
    measure(
      "send through one scope", target: "<= 40 ns, 0 allocations", operations: count,
      mayAllocate: false
    ) {
      for index in 0..<$0 { form.handle(&form.state, index & 1 == 0 ? .increment : .set(index)) }
    } work: {
      for index in 0..<$0 { one.send(.child(index & 1 == 0 ? .increment : .set(index))) }
    }
    let five = ViewModel(Level5())
    measure(
      "send through five scopes", target: "<= 120 ns, 0 allocations", operations: count,
      mayAllocate: false
    ) {
      for index in 0..<$0 { form.handle(&form.state, index & 1 == 0 ? .increment : .set(index)) }
    } work: {
      for index in 0..<$0 {
        let action: Leaf.Action = index & 1 == 0 ? .increment : .set(index)
        five.send(.child(.child(.child(.child(.child(action))))))
      }
    }
  }

  private mutating func measureRows(_ count: Int, _ form: FormByHand) {
    for (rows, target) in [(100, "<= 100 ns"), (10_000, "<= 150 ns")] {
      let model = ViewModel(Rows(count: rows))
      measure(
        "send to one of \(rows) rows", target: target, operations: count, mayAllocate: false
      ) {
        for index in 0..<$0 { form.handle(&form.state, index & 1 == 0 ? .increment : .set(index)) }
      } work: {
        for index in 0..<$0 { model.send(.row(index % rows, .increment)) }
      }
    }
  }
}
