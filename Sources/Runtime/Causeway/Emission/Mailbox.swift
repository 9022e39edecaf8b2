public import Synchronization

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
