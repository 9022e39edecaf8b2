public import Synchronization

/// Moves the elements of a sequence to the main actor, in batches when they arrive fast.
///
/// A hop to the main actor costs many times as much as an element. One task therefore iterates the
/// sequence into a mailbox, and a second task on the main actor empties the mailbox. Elements that
/// arrive during one hop are applied in the next. When 64 elements wait, the iteration waits too.
///
/// Many sequences begin with the current value and change rarely. The second task therefore starts
/// with the second element.
///
/// Inlinable, because looking up the element type at run time would cost far more per element.
@usableFromInline
struct ElementPump<State: Sendable, Action: Sendable, Element: Sendable>: Sendable {
  @usableFromInline let send: Send<State, Action>
  @usableFromInline let update: @MainActor (inout State, Element) -> Void

  @inlinable
  init(_ send: Send<State, Action>, _ update: @escaping @MainActor (inout State, Element) -> Void) {
    self.send = send
    self.update = update
  }

  @concurrent
  @inlinable
  func run<Elements: AsyncSequence & Sendable>(_ elements: Elements) async throws
  where Elements.Element == Element {
    let mailbox = Mailbox<Element>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      var isFirst = true
      var hasConsumer = false
      do {
        for try await element in elements {
          // A sequence may ignore its cancellation and never end.
          if Task.isCancelled { break }
          let isFull = mailbox.append(element)
          if isFirst || isFull {
            isFirst = false
            await flush(mailbox)
          } else if !hasConsumer {
            hasConsumer = true
            group.addTask { await apply(from: mailbox) }
          }
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
  @inlinable
  func apply(from mailbox: Mailbox<Element>) async {
    while await mailbox.wait() {
      flush(mailbox)
    }
  }

  @MainActor
  @inlinable
  func flush(_ mailbox: Mailbox<Element>) {
    let elements = mailbox.take()
    guard !elements.isEmpty else { return }
    send.apply(elements, update)
    mailbox.recycle(elements)
  }
}

/// The elements in transit to the main actor, and the consumer that waits for them.
@usableFromInline
final class Mailbox<Element: Sendable>: Sendable {
  @usableFromInline
  struct Contents {
    @usableFromInline var elements: [Element] = []
    /// An empty array that keeps the storage of earlier elements.
    @usableFromInline var spare: [Element] = []
    @usableFromInline var consumer: UnsafeContinuation<Void, Never>?
    @usableFromInline var isClosed = false

    @inlinable
    init() {}
  }

  @usableFromInline let contents = Mutex(Contents())

  @inlinable
  init() {}

  /// Adds an element.
  ///
  /// Returns whether the mailbox is full. The producer must then empty it.
  @inlinable
  func append(_ element: Element) -> Bool {
    let (consumer, isFull) = contents.withLock { contents in
      contents.elements.append(element)
      return (contents.consumer.take(), contents.elements.count >= 64)
    }
    consumer?.resume()
    return isFull
  }

  @inlinable
  func take() -> [Element] {
    contents.withLock { contents in
      let elements = contents.elements
      contents.elements = contents.spare
      contents.spare = []
      return elements
    }
  }

  /// Keeps the storage of applied elements for reuse.
  @inlinable
  func recycle(_ elements: consuming [Element]) {
    elements.removeAll(keepingCapacity: true)
    let spare = elements
    contents.withLock { $0.spare = spare }
  }

  /// Returns true when there are elements, and false when no more will arrive.
  @inlinable
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

  @inlinable
  func close() {
    let consumer = contents.withLock { contents in
      contents.isClosed = true
      return contents.consumer.take()
    }
    consumer?.resume()
  }
}
