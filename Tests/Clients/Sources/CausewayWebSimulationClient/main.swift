import CausewayWebSimulation

print("worlds with web servers")
