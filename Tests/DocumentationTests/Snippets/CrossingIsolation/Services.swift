import Synchronization

nonisolated struct Forecast: Equatable, Sendable, Codable {
  var wind: Int
}

// snippet
protocol ForecastService: Sendable {
  func forecast(for harbour: String) async throws -> Forecast
}

/// Has mutable state, so it is an actor.
actor RemoteForecastService: ForecastService {
  private var lastProblem: String?
  private let fetch: @Sendable (String) async throws -> Forecast

  init(fetch: @escaping @Sendable (String) async throws -> Forecast) {
    self.fetch = fetch
  }

  func forecast(for harbour: String) async throws -> Forecast {
    do {
      return try await fetch(harbour)
    } catch {
      lastProblem = "\(error)"
      throw error
    }
  }
}
// end

// snippet
/// A mock with recorded calls: the lock makes it `Sendable`, checked by the compiler.
final class MockForecastService: ForecastService {
  private let calls = Mutex<[String]>([])
  private let answer: @Sendable (String) throws -> Forecast

  init(answer: @escaping @Sendable (String) throws -> Forecast) {
    self.answer = answer
  }

  var harbours: [String] { calls.withLock { $0 } }

  func forecast(for harbour: String) async throws -> Forecast {
    calls.withLock { $0.append(harbour) }
    return try answer(harbour)
  }
}
// end

// snippet
/// A subclass of an unchecked class states the conformance again.
class Chart: @unchecked Sendable {  // safe: every stored property is a constant
  let name: String

  init(name: String) {
    self.name = name
  }
}

final class TideChart: Chart, @unchecked Sendable {  // safe: it adds no mutable state
  let levels: [Double]

  init(name: String, levels: [Double]) {
    self.levels = levels
    super.init(name: name)
  }
}
// end

// snippet
/// The struct and each function that hands the body on repeat the constraint.
struct UploadOperation<Body: Encodable & Sendable>: Sendable {
  let path: String
  let body: Body
}

actor Uploader {
  private(set) var paths: [String] = []

  func upload<Body: Encodable & Sendable>(_ operation: UploadOperation<Body>) {
    paths.append(operation.path)
  }
}

@MainActor final class UploadForm {
  private let uploader: Uploader

  init(uploader: Uploader) {
    self.uploader = uploader
  }

  func save<Body: Encodable & Sendable>(_ body: Body) async {
    await uploader.upload(UploadOperation(path: "/logs", body: body))
  }
}
// end
