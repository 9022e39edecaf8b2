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
