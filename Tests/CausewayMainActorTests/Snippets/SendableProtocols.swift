import Testing

// snippet
nonisolated protocol Lamp: Sendable {
  func light() async
}

/// Nonisolated, because `Lamp` requires `Sendable`.
struct FixedLamp: Lamp {
  func light() async {}
}

/// As a class, it would be nonisolated too, and `count` would be an error.
actor FlashingLamp: Lamp {
  private(set) var count = 0

  func light() async {
    count += 1
  }
}
// end

struct SendableProtocolTests {
  /// Compiles only if the type and its initialiser are nonisolated.
  nonisolated private func makeLamp() -> any Lamp { FixedLamp() }

  @Test func `a type that conforms to a Sendable protocol needs its isolation spelled out`() async {
    await makeLamp().light()
    let lamp = FlashingLamp()
    await lamp.light()
    #expect(await lamp.count == 1)
  }
}
