import Foundation
import Synchronization
import TestSupport

struct Row: Equatable, Sendable {
  var text: String
}

/// A library with listeners, which it calls on a thread of its own.
final class RowDatabase: Sendable {
  /// What removes a listener; not sendable, as in many libraries.
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

/// A library with callbacks, which it calls on a thread of its own.
struct Camera: Sendable {
  var image: Image?
  var error: (any Error)?

  func capture(_ callback: @escaping @Sendable (Image?, (any Error)?) -> Void) {
    Thread { [image, error] in callback(image, error) }.start()
  }
}
