import CausewayInspector

let inspector = try Inspector()
print(try await inspector.start().isEmpty)
await inspector.stop()
