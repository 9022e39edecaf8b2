// Exported because engines use sessions, retry tables and surroundings.
@_exported public import CausewayBasics
