/// Prevents the server from applying a numbered action twice.
///
/// A page numbers its actions 1, 2, 3, … and sends one at a time. The server applies the next
/// number. A page resends an action when its answer was lost: a known number gets the same answer
/// as the first time. The server refuses a number that skips another one, because the page must
/// send the missing action first. A refused action also uses its number, so a resent mistake gets
/// the same answer again.
struct ActionLedger<Answer> {
  enum Admission {
    case next
    case repeated(Answer)
    /// A known number whose answer is no longer stored.
    case forgotten
    case gap(expected: UInt64)
  }

  /// The number of stored answers.
  ///
  /// Pages need one; the others are for clients that resend late.
  static var remembered: Int { 32 }

  private var answers: [Answer] = []
  private(set) var last: UInt64 = 0

  func admit(_ number: UInt64) -> Admission {
    if number == last + 1 { return .next }
    if number > last || number == 0 { return .gap(expected: last + 1) }
    let age = last - number
    guard age < UInt64(answers.count) else { return .forgotten }
    return .repeated(answers[answers.count - 1 - Int(age)])
  }

  /// Uses the next number, and stores its answer.
  mutating func record(_ answer: Answer) {
    last += 1
    answers.append(answer)
    if answers.count > Self.remembered { answers.removeFirst() }
  }
}
