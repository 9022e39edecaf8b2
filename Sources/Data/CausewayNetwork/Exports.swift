// Requests have a method and belong to an account, and retry tables classify their failures.
@_exported public import CausewayHTTPTypes
@_exported public import CausewayRetries
@_exported public import CausewaySession
