/// Decides whether a numbered action is applied, so that no action is applied twice.
///
/// A page numbers its actions 1, 2, 3, … and sends one at a time. The next number is applied. A
/// number that was seen before is answered as it was then: the page resends when an answer got
/// lost. A number that skips one is refused, because the page must send the
/// missing action first. Numbers are used up by refused actions too, so a resent
/// mistake is answered as before.
struct ActionLedger<Answer> {
  enum Admission {
    case next
    case repeated(Answer)
    /// Seen, but so long ago that the answer is forgotten.
    case forgotten
    case gap(expected: UInt64)
  }

  /// Pages have one action under way; the rest is for clients that resend late.
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

  /// Uses up the next number.
  mutating func record(_ answer: Answer) {
    last += 1
    answers.append(answer)
    if answers.count > Self.remembered { answers.removeFirst() }
  }
}
