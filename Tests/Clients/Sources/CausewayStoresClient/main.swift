import CausewayStores

/// A backing without a database.
struct NoBacking: StoreBacking {
  func load() -> [String: Int] { ["a": 1] }
  func save(_ changes: StoreChanges<String, Int>) {}
}

let store = ObservableStore(backing: NoBacking())
try await store.waitUntilLoaded()
print(store["a"] ?? 0)

let pictures = ResourceCache<String, [UInt8]> { name in Array(name.utf8) }
let session = SessionService()
session.add(pictures.participant)
try await session.signIn("ada")
print(try await pictures.value(for: "harbour.jpg").count)
try await session.logout()
