/// The bytes that decide what an attack contains.
///
/// After the end of the bytes, all choices are zero.
public struct Choices: Sendable {
  private var bytes: ArraySlice<UInt8>

  /// Reads the choices from bytes, for example from those of a fuzzer.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  /// Makes choices from a seed; equal seeds give equal choices.
  public init(seed: UInt64, count: Int = 400) {
    var state = seed
    bytes =
      (0..<count).map { _ in
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return UInt8(truncatingIfNeeded: mixed >> 32)
      }[...]
  }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// A number from 0 to the limit, without the limit.
  mutating func index(below limit: Int) -> Int { Int(byte()) % limit }

  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[index(below: elements.count)]
  }

  /// True once in the given number of times on average; false after the end of the bytes.
  mutating func happens(oneIn times: UInt8) -> Bool { byte() % times == times - 1 }

  mutating func word() -> UInt64 { (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) } }
}
