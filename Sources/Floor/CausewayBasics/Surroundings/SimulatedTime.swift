/// A clock of a simulation that also provides the date and random numbers.
///
/// A component that gets such a clock must not use the system's date and random numbers.
package protocol SimulatedTime: Clock {
  /// Returns a random number from 0 to 1, excluding 1.
  func randomFraction() -> Double
  /// Returns a random number.
  func randomWord() -> UInt64
  /// Returns the date in milliseconds since 1970.
  func milliseconds() -> Int64
  /// May delay the task or crash its node, at a named place of the program.
  func faultPoint(_ name: StaticString) async
  /// Lets other tasks run.
  ///
  /// A component calls it before it returns without a wait, such as a cache that has the value. On
  /// a real machine, other threads run at the same time.
  func giveWay() async
}
