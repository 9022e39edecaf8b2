/// The order of the steps of a trial, as text that repeats it.
///
/// The text lists the choices that are not the first option, each with its place and its option:
/// `4.1-9.2`. If all choices are the first option, the text is `0`. If a search makes the choices,
/// the text names the search with a letter: `u17` is the uniform search with the seed 17, and
/// `p17.40` is the search by priorities with the seed 17 for 40 choices.
package struct TrialOrder: Hashable, Sendable {
  /// How the choices after the given ones are made.
  package enum Rest: Hashable, Sendable {
    /// With the first option.
    case calm
    case uniform(seed: UInt64)
    /// With a ``PrioritySchedule`` for a number of choices.
    case priorities(seed: UInt64, length: Int)
  }

  package private(set) var choices: [Int] = []
  package private(set) var rest = Rest.calm

  package init(choices: [Int], rest: Rest = .calm) {
    let length = (choices.lastIndex { $0 != 0 } ?? -1) + 1
    self.choices = Array(choices.prefix(rest == .calm ? length : choices.count))
    self.rest = rest
  }

  /// The number of the choices that are not the first option.
  package var deviations: Int { choices.count { $0 != 0 } }
}

extension TrialOrder: LosslessStringConvertible {
  /// Each place in a text must be below this, because all choices up to the last place are stored.
  private static let longest = 10_000_000

  package init?(_ description: String) {
    let text = Substring(description)
    if let letter = text.first, "up".contains(letter) {
      let numbers = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
      guard let seed = numbers.first.flatMap({ UInt64($0) }) else { return nil }
      if letter == "u", numbers.count == 1 {
        rest = .uniform(seed: seed)
      } else if letter == "p", numbers.count == 2, let length = Int(numbers[1]), length > 0 {
        rest = .priorities(seed: seed, length: length)
      } else {
        return nil
      }
      return
    }
    if text == "0" { return }
    for part in text.split(separator: "-", omittingEmptySubsequences: false) {
      let numbers = part.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let place = numbers[0], let option = numbers[1],
        place >= choices.count, place < Self.longest, option > 0
      else { return nil }
      choices += Array(repeating: 0, count: place - choices.count) + [option]
    }
  }

  package var description: String {
    switch rest {
    case .uniform(let seed): return "u\(seed)"
    case .priorities(let seed, let length): return "p\(seed).\(length)"
    case .calm:
      let parts = choices.enumerated().filter { $0.element != 0 }
        .map { "\($0.offset).\($0.element)" }
      return parts.isEmpty ? "0" : parts.joined(separator: "-")
    }
  }
}

/// The choices of one trial: first the choices of a repeated order, then the choices of a search.
package struct ChoiceLog<Choice> {
  private let given: [Int]
  /// All choices so far; with them, the trial can be repeated.
  package private(set) var choices: [Choice] = []

  package init(repeating order: TrialOrder) { given = order.choices }

  /// Returns the option of the next choice of the order; `nil` after its end.
  ///
  /// - Parameter count: The number of options. If the order has a higher option, the last option is
  ///   returned.
  package func next(of count: Int) -> Int? {
    choices.count < given.count ? min(given[choices.count], count - 1) : nil
  }

  package mutating func note(_ choice: Choice) { choices.append(choice) }
}
