import Synchronization

/// Moves the elements of a sequence to the main actor, in batches when they come fast.
///
/// A visit to the main actor costs many times what an element costs. So one task iterates the
/// sequence into a mailbox while a second one, on the main actor, empties it: what arrives
/// during a visit is applied by the next one. When 64 elements wait, the iteration waits too.
struct ElementPump<State: Sendable, Action: Sendable, Element: Sendable>: Sendable {
  let effect: Effect
  let port: EffectPort<State, Action>
  let update: @MainActor (inout State, Element) -> Void

  @concurrent
  func run<Elements: AsyncSequence & Sendable>(_ elements: Elements) async throws
  where Elements.Element == Element {
    let mailbox = Mailbox<Element>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await apply(from: mailbox) }
      do {
        for try await element in elements where mailbox.append(element) {
          await flush(mailbox)
        }
      } catch {
        await flush(mailbox)
        mailbox.close()
        throw error
      }
      mailbox.close()
      try await group.waitForAll()
    }
  }

  @MainActor
  private func apply(from mailbox: Mailbox<Element>) async {
    while await mailbox.wait() {
      flush(mailbox)
    }
  }

  @MainActor
  private func flush(_ mailbox: Mailbox<Element>) {
    let elements = mailbox.take()
    guard !elements.isEmpty else { return }
    effect.core.batch(effect) {
      for element in elements {
        port.update(effect, nil) {
          update(&$0.pointee, element)
          return .state
        }
      }
    }
  }
}

/// The elements on their way to the main actor, and the consumer that waits for them.
private final class Mailbox<Element: Sendable>: Sendable {
  private struct Contents {
    var elements: [Element] = []
    var consumer: UnsafeContinuation<Void, Never>?
    var isClosed = false
  }

  private let contents = Mutex(Contents())

  /// Adds an element.
  ///
  /// Returns whether the mailbox is full, so that the producer must empty it.
  func append(_ element: Element) -> Bool {
    let (consumer, isFull) = contents.withLock { contents in
      contents.elements.append(element)
      return (contents.consumer.take(), contents.elements.count >= 64)
    }
    consumer?.resume()
    return isFull
  }

  func take() -> [Element] {
    contents.withLock { contents in
      defer { contents.elements = [] }
      return contents.elements
    }
  }

  /// Returns true when there are elements, false when there will be none any more.
  func wait() async -> Bool {
    await withUnsafeContinuation { continuation in
      let isReady = contents.withLock { contents in
        if contents.elements.isEmpty, !contents.isClosed {
          contents.consumer = continuation
          return false
        }
        return true
      }
      if isReady { continuation.resume() }
    }
    return contents.withLock { !$0.elements.isEmpty || !$0.isClosed }
  }

  func close() {
    let consumer = contents.withLock { contents in
      contents.isClosed = true
      return contents.consumer.take()
    }
    consumer?.resume()
  }
}
