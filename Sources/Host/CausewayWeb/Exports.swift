// Requests have a method.
@_exported public import CausewayBasics
