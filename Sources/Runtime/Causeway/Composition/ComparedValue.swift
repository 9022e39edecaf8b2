/// A value that an `onChange` compares before and after each step.
///
/// A NaN is not equal to itself. It counts as unchanged if it still has the same bytes.
///
/// It is a protocol, because the calls of closures would take longer than most comparisons.
@MainActor
@usableFromInline
protocol ComparedValue<Root> {
  associatedtype Root
  associatedtype Value
  func value(in root: UnsafeMutablePointer<Root>) -> Value
  static func areEqual(_ left: Value, _ right: Value) -> Bool
}

/// A part of a state, accessed by its offset if it is stored.
@usableFromInline
struct StoredValue<Root, Value: Equatable>: ComparedValue {
  @usableFromInline let keyPath: KeyPath<Root, Value>
  @usableFromInline let offset: Int?

  @inlinable
  init(_ keyPath: KeyPath<Root, Value>) {
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath)
  }

  @inlinable
  func value(in root: UnsafeMutablePointer<Root>) -> Value {
    guard let offset else { return root.pointee[keyPath: keyPath] }
    return (UnsafeMutableRawPointer(root) + offset).assumingMemoryBound(to: Value.self).pointee
  }

  @inlinable
  static func areEqual(_ left: Value, _ right: Value) -> Bool {
    Sameness.areSame(left, right)
  }
}

/// A value that a closure computes.
@usableFromInline
struct ComputedValue<Root, Value: Equatable>: ComparedValue {
  @usableFromInline let compute: @MainActor (Root) -> Value

  @inlinable
  init(_ compute: @escaping @MainActor (Root) -> Value) {
    self.compute = compute
  }

  @inlinable
  func value(in root: UnsafeMutablePointer<Root>) -> Value { compute(root.pointee) }

  @inlinable
  static func areEqual(_ left: Value, _ right: Value) -> Bool {
    Sameness.areSame(left, right)
  }
}

/// Two values that a closure computes.
@usableFromInline
struct ComputedPair<Root, First: Equatable, Second: Equatable>: ComparedValue {
  @usableFromInline let compute: @MainActor (Root) -> (First, Second)

  @inlinable
  init(_ compute: @escaping @MainActor (Root) -> (First, Second)) {
    self.compute = compute
  }

  @inlinable
  func value(in root: UnsafeMutablePointer<Root>) -> (First, Second) { compute(root.pointee) }

  @inlinable
  static func areEqual(_ left: (First, Second), _ right: (First, Second)) -> Bool {
    Sameness.areSame(left.0, right.0) && Sameness.areSame(left.1, right.1)
  }
}
