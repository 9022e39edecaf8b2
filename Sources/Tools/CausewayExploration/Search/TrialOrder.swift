/// The order of the steps of a trial, as text that repeats it.
///
/// The text has the place and the number of each choice that is not the first option: `4.1-9.2`. A
/// letter before it names the search that makes the other choices: `u17` is the uniform one with the
/// seed 17, and `p17.40` the one by priorities for 40 choices. The order without switches is `0`.
struct TrialOrder: Hashable, Sendable {
  var choices: [Int] = []
  var rest = SwitchSearch.Rest.calm

  init(choices: [Int], rest: SwitchSearch.Rest = .calm) {
    let length = (choices.lastIndex { $0 != 0 } ?? -1) + 1
    self.choices = Array(choices.prefix(rest == .calm ? length : choices.count))
    self.rest = rest
  }

  /// The number of the choices that are not the first option.
  var deviations: Int { choices.count { $0 != 0 } }
}

extension TrialOrder: LosslessStringConvertible {
  /// The largest place of a choice in a text.
  private static let longest = 10_000_000

  init?(_ description: String) {
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

  var description: String {
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
