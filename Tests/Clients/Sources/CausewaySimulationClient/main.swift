import CausewaySimulation

print(DiskFault.full)
