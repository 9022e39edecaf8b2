/// Identifies an action in its session.
struct ActionNumber: Sendable, Hashable {
  /// The actions of one lane are numbered and applied one after another.
  let lane: String
  let value: UInt64

  init(_ value: UInt64, lane: String = "") { (self.value, self.lane) = (value, lane) }
}
