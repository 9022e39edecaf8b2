import CausewayStores

let store = ObservableStore(backing: FileBacking<String, Int>(path: "/dev/null/none"))
print(store["a"] ?? 0)

let pictures = ResourceCache<String, [UInt8]> { name in Array(name.utf8) }
let session = SessionService()
session.add(pictures.participant)
try await session.signIn("ada")
print(try await pictures.value(for: "harbour.jpg").count)
try await session.logout()
