import CausewayAccounts

let passphrases = Passphrases()
let hash = try await passphrases.hash("lighthouse")
print(try await passphrases.matches("lighthouse", hash))
