import CausewayTesting

let clock = TestClock()
await clock.advance(by: .seconds(3))
print(clock.now.offset)
