/// Decides how much of a table each transaction makes, and the pause after it.
///
/// The transactions of people wait for the one that runs. So a transaction should be short, whatever
/// table it makes, and however fast the machine and its disk are.
struct MakingPace {
  /// The time of a transaction beyond which the next one is smaller.
  static let longest = Duration.milliseconds(4)
  /// The fewest activities of a transaction, because each transaction also has a cost of its own.
  static let smallest = 16

  private let largest: Int
  /// The number of activities that the next transaction adds.
  private(set) var part: Int

  /// A pace that begins with the smallest part.
  ///
  /// - Parameter largest: The most activities of a transaction.
  init(largest: Int) {
    self.largest = largest
    part = min(Self.smallest, largest)
  }

  /// Returns the pause after a transaction, and changes the size of the next one.
  ///
  /// - Parameter time: The duration of the work of the transaction. The pause is three times as long,
  ///   and at most a second.
  mutating func pause(after time: Duration) -> Duration {
    if time > Self.longest {
      part = max(part / 2, min(Self.smallest, largest))
    } else if time < Self.longest / 2 {
      part = min(2 * part, largest)
    }
    return min(time * 3, .seconds(1))
  }
}
