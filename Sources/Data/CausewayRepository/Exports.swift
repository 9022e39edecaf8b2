// Reads and writes follow a session.
@_exported public import CausewaySession
