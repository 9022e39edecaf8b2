import CausewayCallbacks

let answer: Int = try await withCallback { callback in callback.resume(returning: 3) }
print(answer)
