/// Keeps something registered until its last reference is released.
public final class Registration: Sendable {
  private let end: @Sendable () -> Void

  package init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit {
    end()
  }
}
