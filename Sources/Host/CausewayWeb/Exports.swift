// Re-exported because the public API of this module uses `HTTPMethod`.
@_exported public import CausewayBasics
