import CausewayDataTesting

print(PersistenceConformance.migrations.count > 0)
