import Testing

/// All tests that start browsers and servers, run one after the other to have the whole machine.
@Suite(.serialized) enum BrowserTests {}
