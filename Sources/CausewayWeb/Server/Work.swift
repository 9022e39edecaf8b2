/// What is left to do for a complete request.
enum Work: Sendable {
  case respond(Response)
  /// One job on the main actor, started straight from the polling thread.
  case main(@MainActor @Sendable () -> Response)
  case concurrent(@concurrent @Sendable () async -> Response)
}

/// Where a request goes, decided when its header fields have arrived.
enum Endpoint: Sendable {
  case script
  case action
  case stream
  case route(Route)
}
