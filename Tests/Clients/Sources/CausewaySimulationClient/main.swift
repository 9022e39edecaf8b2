import CausewaySimulation

print(FaultKinds(rawValue: 0).isEmpty)
