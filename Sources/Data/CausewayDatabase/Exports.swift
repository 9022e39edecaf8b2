// Writes check the ticket of a session. Code between two writes can name a fault point.
@_exported public import CausewayBasics
