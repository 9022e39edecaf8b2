/// A crash of a node at one of the next operations of its disk, in the middle of a job.
///
/// The operation throws an error, and each later operation of the same job also throws. For the
/// rest of the world, the node has already ended: its messages are not sent, its other tasks do not
/// run, and the job itself never continues after its next `await` that suspends it. Code that runs
/// until then must not stop the process because of the error.
///
/// The job does not run on a separate thread that could be abandoned, because the job may hold a
/// lock of the process, such as the lock of all private files. Other nodes would then wait for this
/// lock for ever.
struct DiskOutage {
  /// The number of operations until the crash, at least 1.
  var count: Int
  /// Whether only synchronisations count: the moments around a commit.
  let countsOnlySynchronizations: Bool
  /// Whether the crash is after the operation; otherwise the operation has no effect.
  let isAfter: Bool
  /// Decides which changes that are not synchronised are left; `nil` keeps them all.
  let power: SimulationRandom?
  /// How long the node is down.
  let down: Duration

  init(losesPower: Bool, down: Duration, _ random: inout SimulationRandom) {
    // Some bugs need a crash at one of the first operations of a job, and other bugs at a later
    // operation.
    let longest = 1 << Int.random(in: 0...5, using: &random)
    countsOnlySynchronizations = Bool.random(using: &random)
    let most = countsOnlySynchronizations ? min(longest, 4) : longest
    count = Int.random(in: 1...most, using: &random)
    isAfter = Bool.random(using: &random)
    let fates = SimulationRandom(seed: random.next())
    power = losesPower ? fates : nil
    self.down = down
  }
}
