extension Duration {
  /// The whole microseconds of the duration.
  package var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }

  /// The whole nanoseconds of the duration.
  package var nanoseconds: Int64 {
    components.seconds &* 1_000_000_000 &+ components.attoseconds / 1_000_000_000
  }
}
