// Exported because requests use its methods and accounts, and retry tables classify their failures.
@_exported public import CausewayBasics
