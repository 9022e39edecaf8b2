/// Eight times a value, side by side: nested, a state of any size without an allocation.
struct Eight<Value: Sendable & Equatable>: Sendable, Equatable {
  var a: Value, b: Value, c: Value, d: Value, e: Value, f: Value, g: Value, h: Value

  init(_ value: Value) {
    (a, b, c, d) = (value, value, value, value)
    (e, f, g, h) = (value, value, value, value)
  }
}

typealias Kilobytes4 = Eight<Eight<Eight<Int>>>

/// A state of more than 50 kB that lies in one piece.
struct BigState: Sendable {
  var count = 0
  var first = Eight(Kilobytes4(Eight(Eight(0))))
  var second = Kilobytes4(Eight(Eight(0)))
  var third = Kilobytes4(Eight(Eight(0)))
  var fourth = Kilobytes4(Eight(Eight(0)))
  var fifth = Kilobytes4(Eight(Eight(0)))
}
