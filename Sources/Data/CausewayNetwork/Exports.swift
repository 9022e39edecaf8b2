// Requests have a method and belong to an account, and retry tables classify their failures.
@_exported public import CausewayBasics
