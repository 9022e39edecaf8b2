// Engines follow a session, and a table says which failures they retry.
@_exported public import CausewayRetries
@_exported public import CausewaySession
