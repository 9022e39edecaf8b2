import CausewayBasics

let answer: Int = try await withCallback { callback in callback.resume(returning: 3) }
print(answer)

let session = SessionService()
try await session.signIn("ada")
try await session.logout()
print(session.current == nil)

let shutdown = ShutdownSequence()
shutdown.add("database") { print("closed") }
print(await shutdown.run().count)
