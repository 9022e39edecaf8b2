import HarborAttacks

/// Sends the requests that the bytes describe to a backend, and shows its records on every page.
func checkHarbor(_ input: [UInt8]) {
  wait { try await harbors.attack(Choices(input)) }
}

private let harbors = Harbors()

/// The attacked backend. It is replaced after some attacks, because its data grows.
private actor Harbors {
  private var harbor: AttackedHarbor?
  private var number = 0

  func attack(_ choices: Choices) async throws {
    number += 1
    if number % 25 == 1 { harbor = nil }
    let current: AttackedHarbor
    if let harbor {
      current = harbor
    } else {
      current = try await AttackedHarbor()
      harbor = current
    }
    try await current.attack(choices, number: number)
  }
}
