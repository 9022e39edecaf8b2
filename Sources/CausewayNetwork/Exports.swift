// Requests belong to an account, and retry tables classify their failures.
@_exported public import CausewayRetries
@_exported public import CausewaySession
