import CSimulatedSystem
import Synchronization

/// The locks that a step holds.
enum HeldLocks {
  /// Whether the step that makes a task on the current thread may hold a lock.
  ///
  /// A mutex of POSIX is known. Other locks, such as `Mutex` and a queue, run a closure that does not escape,
  /// which only the standard library does without a lock. The closure is on the stack, even if the function
  /// that locks is inlined.
  static var mayBeHeld: Bool {
    if causeway_holds_mutex() != 0 { return true }
    return withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: 32) { buffer in
      let count = causeway_callers(buffer.baseAddress, Int32(buffer.count))
      let addresses = buffer.prefix(Int(count)).map { UInt(bitPattern: $0) }
      if let known = stacks.withLock({ $0[addresses] }) { return known }
      let hasLock = runsClosureUnderLock(addresses.map { WaitingPlace.symbol(at: $0 - 1) ?? "" })
      stacks.withLock { $0[addresses] = hasLock }
      return hasLock
    }
  }

  /// Whether a lock may be held in the functions of a stack, by their return addresses.
  private static let stacks = Mutex<[[UInt]: Bool]>([:])

  private static func runsClosureUnderLock(_ names: [String]) -> Bool {
    guard let made = names.firstIndex(of: "swift_task_create") else { return true }
    let step = names[(made + 1)...].prefix { !$0.contains("19CausewayExploration") }
      .filter { !$0.hasSuffix("TR") && !$0.hasSuffix("TA") }
    return zip(step, step.dropFirst() + [""]).contains { closure, caller in
      isClosureOfCall(closure) && !isOfStandardLibrary(caller)
    }
  }

  /// Whether a mangled name is that of a closure that does not escape and is not asynchronous.
  private static func isClosureOfCall(_ name: String) -> Bool {
    guard let closure = name.ranges(of: "fU").last else { return false }
    let end = name[closure.upperBound...].drop(while: \.isNumber).dropFirst()
    guard end.isEmpty || end.hasPrefix("T") else { return false }
    var type = name[..<closure.lowerBound]
    guard type.hasSuffix("XE") else { return false }
    type.removeLast(2)
    // What follows the parameters, such as `K` for a function that throws.
    while true {
      if type.hasSuffix("K") {
        type.removeLast()
      } else if type.dropLast().last == "Y" {
        if type.last == "a" { return false }
        type.removeLast(2)
      } else {
        return true
      }
    }
  }

  private static func isOfStandardLibrary(_ name: String) -> Bool {
    name.hasPrefix("$ss") || name.hasPrefix("$sS") && !name.hasPrefix("$sSo")
  }
}
