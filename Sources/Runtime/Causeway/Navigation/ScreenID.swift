/// The id of a screen in a path.
///
/// The same screen can be in a path several times, such as a person, one of their friends and the
/// person again. `copy` distinguishes these screens.
public struct ScreenID<Base: Hashable & Sendable>: Hashable, Sendable {
  /// The id of the screen itself.
  public let base: Base
  /// The smallest number that no other screen with the same id had when this screen was added.
  public let copy: Int

  /// Makes the id of a screen in a path, by default of the first copy.
  @inlinable
  public init(_ base: Base, copy: Int = 0) {
    self.base = base
    self.copy = copy
  }

  // The conformance is not synthesised, because only inlinable code is specialised, and each action
  // of a screen compares ids.

  /// Whether both are the same screen in a path.
  @inlinable
  public static func == (left: Self, right: Self) -> Bool {
    left.base == right.base && left.copy == right.copy
  }

  /// Hashes the id of the screen and the number of the copy.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(base)
    hasher.combine(copy)
  }
}

extension ScreenID: CustomStringConvertible {
  /// The id of the screen, and the number of the copy if it is not the first.
  public var description: String {
    copy == 0 ? ValueText.of(base) : "\(ValueText.of(base)) #\(copy)"
  }
}

extension ScreenID: Encodable where Base: Encodable {}

extension ScreenID: Decodable where Base: Decodable {}
