// A cache follows a session, and its files and loads can fail.
@_exported public import CausewayBasics
@_exported public import CausewaySession
