// A cache follows a session, and its files and loads can fail.
@_exported public import CausewayFiles
@_exported public import CausewayRetries
@_exported public import CausewaySession
