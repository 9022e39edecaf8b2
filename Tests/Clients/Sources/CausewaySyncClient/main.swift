import CausewaySync

print(SyncVersion(3))
