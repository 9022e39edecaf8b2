extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether both arrays have equal elements in the same order.
  public static func == (left: Self, right: Self) -> Bool {
    left.elements == right.elements
  }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Hashes the elements in order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(elements)
  }
}

extension IdentifiedArray: CustomStringConvertible {
  /// The elements in order.
  public var description: String {
    Array(elements).description
  }
}
