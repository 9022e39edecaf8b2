import CausewaySignals

let shutdown = ShutdownSequence()
shutdown.add("database") { print("closed") }
print(await shutdown.run().count)
