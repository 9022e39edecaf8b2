// Engines follow a session, a table says which failures they retry, and surroundings have the clock.
@_exported public import CausewayBasics
