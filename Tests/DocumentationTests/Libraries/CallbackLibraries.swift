import Foundation
import Synchronization
import TestSupport

struct Row: Equatable, Sendable {
  var text: String
}

/// A library that calls its listeners on its own thread.
final class RowDatabase: Sendable {
  /// Removes a listener.
  ///
  /// It is not sendable, as in many libraries.
  final class Registration {
    private let onRemove: @Sendable () -> Void

    init(onRemove: @escaping @Sendable () -> Void) {
      self.onRemove = onRemove
    }

    func remove() { onRemove() }
  }

  typealias Listener = @Sendable ([Row], (any Error)?) -> Void

  let added = Log<Int>()
  let removed = Log<Int>()
  private let listeners = Mutex<[Int: Listener]>([:])
  private let onRemove: @Sendable () -> Void

  init(onRemove: @escaping @Sendable () -> Void = {}) {
    self.onRemove = onRemove
  }

  func addListener(_ listener: @escaping Listener) -> Registration {
    let number = listeners.withLock { listeners in
      let number = listeners.count
      listeners[number] = listener
      return number
    }
    added.append(number)
    return Registration { [removed, onRemove] in
      onRemove()
      removed.append(number)
    }
  }

  /// Calls the listeners on another thread.
  func tell(_ rows: [Row], _ error: (any Error)? = nil) {
    let listeners = listeners.withLock { Array($0.values) }
    Thread { for listener in listeners { listener(rows, error) } }.start()
  }
}

struct Image: Equatable, Sendable {
  var width: Int
}

/// A library that calls its callbacks on its own thread.
struct Camera: Sendable {
  var image: Image?
  var error: (any Error)?

  func capture(_ callback: @escaping @Sendable (Image?, (any Error)?) -> Void) {
    Thread { [image, error] in callback(image, error) }.start()
  }
}
