import CausewaySystem
import Testing

struct PartShrinkingTests {
  /// Leaves out parts as long as a trial fails.
  ///
  /// - Returns: The parts that are left, and the number of trials.
  private func shrink<Part>(_ parts: [Part], fails: ([Part]) -> Bool) -> ([Part], trials: Int) {
    var parts = parts
    var trials = 0
    var shrinking = PartShrinking(count: parts.count)
    while let range = shrinking.next() {
      var shorter = parts
      shorter.removeSubrange(range)
      trials += 1
      guard fails(shorter) else { continue }
      parts = shorter
      shrinking.keep(count: parts.count)
    }
    return (parts, trials)
  }

  @Test(arguments: 0...8)
  func `only the parts that a failure needs are left`(count: Int) {
    for needed in 0..<1 << count {
      let needed = (0..<count).filter { needed >> $0 & 1 == 1 }
      let (left, trials) = shrink(Array(0..<count)) { Set($0).isSuperset(of: needed) }
      #expect(left == needed)
      #expect(trials <= max(1, count * count))
    }
  }

  @Test func `two of a thousand parts are found in fewer than 100 trials`() {
    let (left, trials) = shrink(Array(0..<1_000)) { $0.contains(17) && $0.contains(803) }
    #expect(left == [17, 803])
    #expect(trials < 100, "\(trials)")
  }

  @Test func `a part that only a later part needs goes with it`() {
    // Each part needs all before it, except that the last is not needed at all.
    let (left, _) = shrink(Array(0..<7)) { parts in
      parts.contains(0) && parts == Array(0..<parts.count)
    }
    #expect(left == [0])
  }

  @Test func `without parts there is no trial`() {
    var shrinking = PartShrinking(count: 0)
    #expect(shrinking.next() == nil)
  }
}

struct ChoiceShrinkingTests {
  private func shrink(_ choices: [Int], fails: ([Int]) -> Bool) -> ([Int], trials: Int) {
    var shrinking = ChoiceShrinking(choices)
    var trials = 0
    while let calmer = shrinking.next() {
      trials += 1
      if fails(calmer) { shrinking.keep(calmer) }
    }
    return (shrinking.choices, trials)
  }

  @Test func `only the choices that a failure needs differ from the first option`() {
    let choices = (0..<40).map { $0 % 4 }
    let (left, _) = shrink(choices) { $0[5] == 1 && $0[38] == 2 }
    #expect(left.indices.filter { left[$0] != 0 } == [5, 38])
    #expect(left[5] == 1 && left[38] == 2)
  }

  @Test func `the choices that are the first option cost no trial`() {
    var choices = Array(repeating: 0, count: 1_000)
    choices[700] = 3
    let (left, trials) = shrink(choices) { $0[700] == 3 }
    #expect(left == choices)
    #expect(trials == 1)
  }
}
