import CausewayStores

let store = ObservableStore(backing: FileBacking<String, Int>(path: "/dev/null/none"))
print(store["a"] ?? 0)
