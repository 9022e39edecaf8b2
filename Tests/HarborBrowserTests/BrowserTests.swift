import Testing

/// All tests that start browsers and servers: one after the other, so that each has the machine.
@Suite(.serialized) enum BrowserTests {}
