/// Prevents the server from applying a numbered action twice.
///
/// A page numbers its actions 1, 2, 3, … and sends one at a time. An action keeps its number. The
/// server applies the next number. A page resends an action when its answer was lost: a known number
/// gets the same answer as the first time. A refused action also uses its number, so a resent
/// mistake gets the same answer again.
///
/// The server refuses a number that skips another one, because the page must send the missing action
/// first. If the page no longer has the missing action, it sends the number again and allows the
/// gap. The missing number is then never applied. So no number is applied twice, in any order.
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
  /// Pages need one; the others are for clients that resend late.
  static var remembered: Int { 32 }

  /// The largest number: the largest integer that a script can count to.
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
}
