// Exported because writes check session tickets, and code between two writes names fault points.
@_exported public import CausewayBasics
