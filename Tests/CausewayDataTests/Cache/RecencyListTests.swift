import CausewayData
import TestSupport
import Testing

@testable import CausewayStores

@Suite("Recency list") struct RecencyListTests {
  /// The same list as a plain array, whose last element is the most recent.
  private struct Model {
    var elements: [(key: Int, element: String, bytes: Int)] = []

    mutating func take(_ key: Int) -> (key: Int, element: String, bytes: Int)? {
      elements.firstIndex { $0.key == key }.map { elements.remove(at: $0) }
    }
  }

  @Test(arguments: 0..<UInt64(20))
  func `order, sizes and elements equal those of a plain array`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var list = RecencyList<Int, String>()
    var model = Model()
    let overhead = RecencyList<Int, String>.overhead
    for step in 0..<2_000 {
      let key = Int.random(in: 0..<30, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let bytes = Int.random(in: 0..<100, using: &random)
        let replaced = list.store("\(step)", for: key, bytes: bytes)
        #expect(replaced == model.take(key)?.element)
        model.elements.append((key, "\(step)", bytes))
      case 2:
        let found = model.take(key)
        if let found { model.elements.append(found) }
        #expect(list.use(key) == found?.element)
      case 3:
        #expect(list.peek(key) == model.elements.first { $0.key == key }?.element)
      case 4:
        #expect(list.remove(key) == model.take(key)?.element)
      default:
        #expect(list.oldestElement == model.elements.first?.element)
        let oldest = list.removeOldest()
        let expected = model.elements.isEmpty ? nil : model.elements.removeFirst()
        #expect(oldest?.key == expected?.key)
        #expect(oldest?.element == expected?.element)
      }
      #expect(list.keys == model.elements.reversed().map(\.key))
      #expect(list.count == model.elements.count)
      #expect(list.bytes == model.elements.reduce(0) { $0 + $1.bytes + overhead })
    }
  }
}
