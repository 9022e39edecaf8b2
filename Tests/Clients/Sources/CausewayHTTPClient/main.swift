import CausewayHTTP
import Foundation

if let address = URL(string: "http://127.0.0.1:9") {
  let network = HTTPNetworkService(.init(address: address))
  do {
    _ = try await network.response(for: .init(.get, "/"), progress: nil)
  } catch {
    print("nobody answers")
  }
}
