// A store follows a session, and its files can fail.
@_exported public import CausewayBasics
