import Testing

@testable import CausewayInspector

@Suite struct ValueReaderTests {
  @Test func `reads no further than the longest text`() {
    let rows = (1...150).map { "Row \($0)" }
    var whole = ValueReader(RedactionRules())
    var limited = ValueReader(RedactionRules(), longest: 100)
    let (all, some) = (whole.state(rows), limited.state(rows))
    #expect(all.children.count == 150)
    #expect(some.children.count < 20 && some.omitted == 150 - some.children.count)
    #expect(all.expression.shortened(to: 100) == some.expression.shortened(to: 100))
    // The limit applies to each part separately.
    #expect(limited.part(rows, at: nil).children.count == some.children.count)
  }
}
