/// Eight adjacent copies of a value.
///
/// Nested copies can have any size without an allocation.
struct Eight<Value: Sendable & Equatable>: Sendable, Equatable {
  let a: Value, b: Value, c: Value, d: Value, e: Value, f: Value, g: Value, h: Value

  init(_ value: Value) {
    a = value
    b = value
    c = value
    d = value
    e = value
    f = value
    g = value
    h = value
  }
}

/// A value of four kilobytes.
typealias Block = Eight<Eight<Eight<Int>>>

/// A state of more than 50 kB in one piece.
struct BigState: Sendable {
  var count: Int
  var a, b, c, d, e, f, g, h, i, j, k, l, m: Block

  // The members are assigned one by one. Default values would fill the caller's frame in a debug
  // build.
  init() {
    count = 0
    let block = Block(Eight(Eight(0)))
    a = block
    b = block
    c = block
    d = block
    e = block
    f = block
    g = block
    h = block
    i = block
    j = block
    k = block
    l = block
    m = block
  }
}
