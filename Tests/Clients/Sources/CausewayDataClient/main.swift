import CausewayData

let session = SessionService(account: .local)
print(session.current?.account.rawValue ?? "nobody")
print(SQL("SELECT 1").text)
