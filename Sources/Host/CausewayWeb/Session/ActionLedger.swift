/// Prevents the server from applying a numbered action twice.
///
/// A page numbers its actions 1, 2, 3, … and sends one at a time. An action keeps its number. If an
/// answer was lost, the page sends the action again, and the server repeats its first answer. A
/// refused action also uses its number, so the server repeats its refusal.
///
/// The server refuses a number that skips another one, because the page must first send the missing
/// action. If the page no longer has that action, it sends the number again and allows the gap. The
/// server then never applies the missing number. So each number is applied at most once.
struct ActionLedger<Answer> {
  enum Admission {
    case next
    case repeated(Answer)
    /// A used number without a stored answer.
    case forgotten
    case gap(expected: UInt64)
  }

  /// The number of stored answers.
  ///
  /// A page needs only the last answer. The others are for clients that repeat an action late.
  static var remembered: Int { 32 }

  /// The largest number: the largest integer that a script represents exactly.
  static var largest: UInt64 { (1 << 53) - 1 }

  /// The last answers, by their numbers in ascending order.
  private var answers: [(number: UInt64, answer: Answer)] = []
  private(set) var last: UInt64 = 0

  /// - Parameter allowsGap: Whether the number is accepted although earlier numbers are missing.
  ///   The missing numbers are then never applied.
  func admit(_ number: UInt64, allowsGap: Bool = false) -> Admission {
    guard number > last, number <= Self.largest else {
      guard number > 0, number <= last else { return .gap(expected: last + 1) }
      let known = answers.last { $0.number == number }
      return known.map { .repeated($0.answer) } ?? .forgotten
    }
    return number == last + 1 || allowsGap ? .next : .gap(expected: last + 1)
  }

  /// Uses an admitted number, and stores its answer.
  mutating func record(_ answer: Answer, for number: UInt64) {
    last = number
    answers.append((number, answer))
    if answers.count > Self.remembered { answers.removeFirst() }
  }

  /// Replaces the stored answer of a number, if there is one.
  mutating func replace(_ answer: Answer, for number: UInt64) {
    guard let index = answers.lastIndex(where: { $0.number == number }) else { return }
    answers[index].answer = answer
  }
}
