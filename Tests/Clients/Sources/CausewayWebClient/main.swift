import CausewayWeb

let server = WebServer(configuration: .init(port: 0))
server.get("/") { _ in .text("Hello") }
print(try await server.start().host)
await server.stop()
