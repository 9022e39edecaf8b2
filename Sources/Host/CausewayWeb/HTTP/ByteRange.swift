/// A single byte range of a `Range` field (RFC 9110, section 14.1.2).
enum ByteRange: Equatable {
  /// The field is missing or unusable, so the whole representation is sent, as the RFC allows.
  case whole
  case part(Range<UInt64>)
  case unsatisfiable

  /// Parses a field.
  ///
  /// Several ranges in one field give ``whole``.
  init(field: String?, size: UInt64) {
    guard let field, field.hasPrefix("bytes="), !field.contains(",") else {
      self = .whole
      return
    }
    let bounds = field.dropFirst(6).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }) else {
      self = .whole
      return
    }
    // A number that does not fit into 64 bits is beyond the end in any case.
    let first = bounds[0].isEmpty ? nil : UInt64(bounds[0]) ?? .max
    let last = bounds[1].isEmpty ? nil : UInt64(bounds[1]) ?? .max
    switch (first, last) {
    case (nil, nil): self = .whole
    case (nil, let length?):
      self = length == 0 || size == 0 ? .unsatisfiable : .part(size - min(length, size)..<size)
    case (let first?, let last):
      if let last, last < first {
        self = .whole
      } else if first >= size {
        self = .unsatisfiable
      } else {
        self = .part(first..<min(last ?? .max, size - 1) + 1)
      }
    }
  }
}
