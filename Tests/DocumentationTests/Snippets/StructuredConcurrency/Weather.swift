import Causeway

nonisolated struct Conditions: Equatable, Sendable {
  var wind: Int
  var tide: Int
}

// snippet
protocol ConditionsService: Sendable {
  func wind(at harbour: String) async throws -> Int
  func tide(at harbour: String) async throws -> Int
}

func conditions(
  at harbour: String, from service: any ConditionsService
) async throws -> Conditions {
  async let wind = service.wind(at: harbour)
  async let tide = service.tide(at: harbour)  // runs beside the first one
  return try await Conditions(wind: wind, tide: tide)
}
// end

// snippet
struct Briefing: Interactor {
  struct State: Equatable, Sendable {
    var conditions: Conditions?
    var problem: String?
  }

  enum Action: Sendable {
    case appear(String)
  }

  let service: any ConditionsService

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [service] state, action in
      switch action {
      case .appear(let harbour):
        return .perform(.latest, id: "load") { send in
          async let wind = service.wind(at: harbour)
          async let tide = service.tide(at: harbour)
          let conditions = try await Conditions(wind: wind, tide: tide)
          await send { $0.conditions = conditions }
        } catch: { state, error in
          state.problem = "\(error)"
        }
      }
    }
  }
}
// end

// snippet
func loadAll<Value: Sendable>(
  _ names: [String], atMost limit: Int, load: @escaping @Sendable (String) async throws -> Value
) async throws -> [String: Value] {
  try await withThrowingTaskGroup(of: (String, Value).self) { group in
    var waiting = names.makeIterator()
    var loaded: [String: Value] = [:]
    for _ in 0..<limit {
      guard let name = waiting.next() else { break }
      group.addTask { (name, try await load(name)) }
    }
    while let (name, value) = try await group.next() {
      loaded[name] = value  // in the parent, so nothing is shared with the children
      guard let name = waiting.next() else { continue }
      group.addTask { (name, try await load(name)) }
    }
    return loaded
  }
}
// end

// snippet
func loadWhatIsThere<Value: Sendable>(
  _ names: [String], load: @escaping @Sendable (String) async throws -> Value
) async -> [String: Value] {
  await withTaskGroup(of: (String, Value?).self) { group in
    for name in names {
      group.addTask { (name, try? await load(name)) }  // a failure ends no other child
    }
    return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
  }
}
// end
