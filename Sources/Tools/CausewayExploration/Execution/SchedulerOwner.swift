/// The trial of a scheduler, as the code that its jobs call sees it.
package protocol SchedulerOwner: AnyObject {
  /// The failed assertions of the trial.
  var assertions: AssertionLog { get }

  /// The time of the system's clocks for the current code, in nanoseconds.
  ///
  /// - Parameter isWall: Whether it is the time since 1970, with the error of the node's clock.
  func systemTime(isWall: Bool) -> Int64

  /// Fills memory with the random numbers that the current code takes from the system.
  func randomize(_ bytes: UnsafeMutableBufferPointer<UInt8>)
}
