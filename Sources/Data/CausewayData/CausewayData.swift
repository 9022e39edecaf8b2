@_exported public import CausewayBasics
// All parts of the data layer under one name.
@_exported public import CausewayCache
@_exported public import CausewayCallbacks
@_exported public import CausewayDatabase
@_exported public import CausewayNetwork
@_exported public import CausewayRepository
@_exported public import CausewaySession
@_exported public import CausewayStores
@_exported public import CausewaySync
