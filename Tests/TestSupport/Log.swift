import Synchronization

/// Collects values from any isolation, in the order in which they came.
public final class Log<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])

  /// Makes an empty log.
  public init() {}

  /// Adds a value.
  public func append(_ element: Element) {
    elements.withLock { $0.append(element) }
  }

  /// Everything so far.
  public var all: [Element] {
    elements.withLock { $0 }
  }
}
