import CausewayNetwork

let endpoint = Endpoint<Int>(.get, "/count")
print(endpoint.request.method.rawValue)
