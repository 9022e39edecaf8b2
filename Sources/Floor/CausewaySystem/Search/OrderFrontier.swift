/// The orders that a systematic search has not tried yet.
///
/// It tries the orders with the fewest switches first (context bounding, from M. Musuvathi and
/// S. Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded Programs", PLDI
/// 2007). Among these, it begins with the orders in which the fewest choices differ from the first
/// option. Each order is tried once: a trial repeats the choices of an earlier trial up to some
/// choice, takes another option there, and has no further switches.
package struct OrderFrontier {
  private struct Order {
    /// The choices of an earlier trial, shared by all orders that vary it.
    let choices: [Int]
    /// The place of the choice that differs.
    let place: Int
    let option: Int
  }

  private struct Level {
    var orders: [Order] = []
    var head = 0
    var isEmpty: Bool { head == orders.count }
  }

  /// The orders by their numbers of switches.
  private var levels: [Level] = []
  private var count = 0
  /// Whether orders were left out because there were too many to remember.
  package private(set) var isCut = false

  /// The largest number of remembered orders.
  private let most: Int
  /// The largest number of switches of a remembered order.
  private static let deepest = 1_000

  package init(most: Int = 200_000) { self.most = most }

  package var isEmpty: Bool { count == 0 }

  /// Adds the orders that differ from a trial at one of its choices.
  ///
  /// - Parameters:
  ///   - choices: The choices of the trial.
  ///   - length: The number of the choices that were given; they are not varied.
  ///   - switches: The number of switches of the trial.
  ///   - options: Returns the number of options of a choice, and the number of its options that are
  ///     not a switch. These options come first.
  package mutating func add(
    _ choices: [Int], after length: Int, switches: Int,
    options: (_ place: Int) -> (count: Int, free: Int)
  ) {
    for place in choices.indices.dropFirst(length) {
      let options = options(place)
      for option in 0..<options.count where option != choices[place] {
        let level = switches + (option < options.free ? 0 : 1)
        guard count < most, level <= Self.deepest else {
          isCut = true
          return
        }
        while levels.count <= level { levels.append(Level()) }
        levels[level].orders.append(Order(choices: choices, place: place, option: option))
        count += 1
      }
    }
  }

  /// Removes and returns the choices of the next order, and its number of switches.
  ///
  /// - Parameter least: The number of switches to begin with; orders with fewer switches come last.
  package mutating func next(from least: Int = 0) -> (choices: [Int], switches: Int)? {
    let all = Array(levels.indices.dropFirst(least)) + levels.indices.prefix(least)
    guard let level = all.first(where: { !levels[$0].isEmpty }) else { return nil }
    let order = levels[level].orders[levels[level].head]
    levels[level].head += 1
    count -= 1
    if levels[level].head > 1_000, levels[level].head * 2 > levels[level].orders.count {
      levels[level].orders.removeFirst(levels[level].head)
      levels[level].head = 0
    }
    return (Array(order.choices.prefix(order.place)) + [order.option], level)
  }
}
