/// A fault of a simulated world.
///
/// The random numbers of the faults depend only on the seed. A trial can therefore be repeated
/// without one of its faults.
public enum SimulationFault: Sendable {
  /// Each message takes a time in the range; the default is 1 to 10 milliseconds.
  case latency(ClosedRange<Duration>)
  /// Each message is lost with this probability, on its way to the server or back.
  case loss(Double)
  /// Each request arrives twice with this probability.
  case duplicates(Double)
  /// With this probability, the body of a response arrives in several pieces.
  ///
  /// If the server crashes or is cut off between two pieces, the client gets an error.
  ///
  /// - Parameters:
  ///   - pieces: The number of pieces, at least 1.
  ///   - pause: The time before each piece.
  case slowBytes(Double, pieces: ClosedRange<Int>, pause: ClosedRange<Duration>)
  /// From time to time, no message passes from one node to another, in one or both directions.
  ///
  /// - Parameters:
  ///   - every: The mean time between two partitions.
  ///   - lasting: How long a partition lasts.
  case partitions(every: Duration, lasting: ClosedRange<Duration>)
  /// From time to time, a node crashes, and restarts after a while.
  ///
  /// Half of the crashes happen between two steps. The other half happen inside a step: before or
  /// after one of the next operations of the disk, such as a write of an SQLite commit.
  ///
  /// - Parameters:
  ///   - of: The nodes that crash.
  ///   - every: The mean time between two crashes.
  ///   - down: How long the node is down.
  case crashes(of: [NodeID], every: Duration, down: ClosedRange<Duration>)
  /// From time to time, a node loses its power, and restarts after a while.
  ///
  /// This is a crash after which only the synchronised changes are certainly on the disk. Each
  /// other change may be kept, lost, or torn by sector. Half of the failures happen at one of the next
  /// operations of the disk, like half of the crashes.
  ///
  /// - Parameters:
  ///   - of: The nodes that lose power.
  ///   - every: The mean time between two power failures.
  ///   - down: How long the node is down.
  case powerLoss(of: [NodeID], every: Duration, down: ClosedRange<Duration>)
  /// From time to time, the disk of a node has a fault for a while.
  ///
  /// - Parameters:
  ///   - fault: The fault.
  ///   - of: The nodes.
  ///   - every: The mean time between the beginnings of two faults.
  ///   - lasting: How long a fault lasts.
  case disk(DiskFault, of: [NodeID], every: Duration, lasting: ClosedRange<Duration>)
  /// A power failure can store any part of a sector that was being written, on the disks of these
  /// nodes.
  ///
  /// Real disks usually store a sector whole or not at all.
  case tornSectors(of: [NodeID])
  /// From time to time, one bit of a file changes.
  ///
  /// - Parameters:
  ///   - of: The nodes.
  ///   - every: The mean time between two changes.
  case bitRot(of: [NodeID], every: Duration)
  /// From time to time, a write goes to another sector of its file.
  ///
  /// - Parameters:
  ///   - of: The nodes.
  ///   - every: The mean time between two such writes.
  case strayWrites(of: [NodeID], every: Duration)
  /// A named `faultPoint` of a program delays its task or crashes its node.
  ///
  /// One in four of these events is a crash, and half of the crashes are power failures.
  ///
  /// - Parameters:
  ///   - probability: The probability that something happens at a point.
  ///   - pause: How long the task is delayed, or the node is down.
  case faultPoints(_ probability: Double, pause: ClosedRange<Duration>)
  /// Each node's date is wrong by up to this duration, in either direction.
  case clockSkew(Duration)
  /// Each node's date runs too fast or too slow, by up to this number of microseconds in a second.
  case clockDrift(partsPerMillion: Int)
  /// From time to time, the date of a node jumps.
  ///
  /// - Parameters:
  ///   - of: The nodes.
  ///   - every: The mean time between two jumps.
  ///   - by: The longest jump, in either direction.
  case clockJumps(of: [NodeID], every: Duration, by: Duration)
}
