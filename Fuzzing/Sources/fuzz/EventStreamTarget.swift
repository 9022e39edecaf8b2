import CausewayData
@_spi(Fuzzing) import CausewayHTTP

/// Checks that the division of a stream into pieces does not change its events.
///
/// The first byte of the input decides the division.
func checkEventStream(_ input: [UInt8]) {
  guard let first = input.first else { return }
  let bytes = input.dropFirst()
  var whole = EventStreamParser(lastEventID: "start", eventLimit: 64)
  let expected = whole.parse(bytes)
  for seed in [1, UInt64(first) + 2] {
    var parser = EventStreamParser(lastEventID: "start", eventLimit: 64)
    var events: [NetworkEvent] = []
    var rest = bytes
    var state = seed
    while !rest.isEmpty {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // Seed 1: byte by byte.
      let length = seed == 1 ? 1 : Int(state >> 33) % 7 + 1
      events += parser.parse(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    precondition(events == expected, "divided: \(events), whole: \(expected)")
    precondition(parser.failure == whole.failure, "another failure")
    precondition(parser.lastEventID == whole.lastEventID, "another id")
    precondition(parser.reconnectionTime == whole.reconnectionTime, "another delay")
  }
  for event in expected {
    precondition(event.data.utf8.count <= 64 * 3, "larger than the limit")
    precondition(!event.id.utf8.contains(0), "a null in an id")
    precondition(!event.name.isEmpty, "an event without a name")
  }
}
