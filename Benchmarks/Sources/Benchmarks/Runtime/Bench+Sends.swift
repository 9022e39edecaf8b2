import Causeway
import ClientFeatures

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
    measureRows()
    measureSiblings()
    measureInbox()
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

  /// Sends with payloads to a large state of another module.
  private mutating func measureInbox() {
    let actions = Inbox.actions
    let byHand = InboxByHand()
    let model = ViewModel(Inbox())
    measure(
      "send with strings and arrays, 30 fields, another module", target: "<= floor + 20 ns",
      operations: 500_000, mayAllocate: false
    ) {
      for index in 0..<$0 { byHand.send(actions[index % 3]) }
    } work: {
      for index in 0..<$0 { model.send(actions[index % 3]) }
    }
  }
}
