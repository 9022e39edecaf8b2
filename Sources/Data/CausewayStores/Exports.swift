// Exported because stores follow a session and report errors of files.
@_exported public import CausewayBasics
