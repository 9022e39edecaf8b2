import Synchronization

/// Effects that ended off the main actor and wait to be taken off the runtime's books.
///
/// A visit to the main actor is the dearest part of a short effect. So an effect that ends only
/// leaves its name here; the first to do so makes the visit, for all that ended by then.
final class Endings<Element: Sendable>: Sendable {
  private struct Waiting {
    var elements: [Element] = []
    var isVisitDue = false
  }

  private let waiting = Mutex(Waiting())

  /// Adds an element.
  ///
  /// Returns whether the caller must see to the visit.
  func append(_ element: Element) -> Bool {
    waiting.withLock { waiting in
      waiting.elements.append(element)
      if waiting.isVisitDue { return false }
      waiting.isVisitDue = true
      return true
    }
  }

  /// Takes all elements; whoever appends next must see to the next visit.
  func take() -> [Element] {
    waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting.elements
    }
  }
}
