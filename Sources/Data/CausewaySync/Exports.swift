// An engine follows a session, a retry table decides about its failures, and surroundings have its
// clock.
@_exported public import CausewayBasics
