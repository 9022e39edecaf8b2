import Testing

// snippet
nonisolated protocol Lamp: Sendable {
  func light() async
}

/// Nonisolated, because `Lamp` requires `Sendable`.
struct FixedLamp: Lamp {
  func light() async {}
}

/// On the main actor, because the class and the method say so.
@MainActor final class FlashingLamp: Lamp {
  private(set) var count = 0

  @MainActor func light() async {
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
    #expect(lamp.count == 1)
  }
}
