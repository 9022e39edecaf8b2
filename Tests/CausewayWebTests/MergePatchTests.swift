import Testing

@testable import CausewayWeb
