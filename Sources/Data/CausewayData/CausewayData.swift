@_exported public import CausewayBasics
@_exported public import CausewayDatabase
@_exported public import CausewayNetwork
// All parts of the data layer under one name.
@_exported public import CausewayStores
@_exported public import CausewaySync
