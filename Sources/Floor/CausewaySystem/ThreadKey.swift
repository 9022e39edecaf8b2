/// A pointer with a separate value for each thread.
package struct ThreadKey: Sendable {
  private let key: pthread_key_t

  package init() {
    var key = pthread_key_t()
    let error = pthread_key_create(&key, nil)
    precondition(error == 0, "No key for values of threads is left (error \(error))")
    self.key = key
  }

  /// The pointer of the current thread; at first `nil`.
  package var pointer: UnsafeMutableRawPointer? {
    get { pthread_getspecific(key) }
    nonmutating set { pthread_setspecific(key, newValue) }
  }
}
