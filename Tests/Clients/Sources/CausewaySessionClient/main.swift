import CausewaySession

let session = SessionService()
try await session.signIn("ada")
try await session.logout()
print(session.current == nil)
