/// Asks the harbour master, which takes time.
typealias Permission = @Sendable () async -> Bool

// snippet
actor Pier {
  private(set) var freeBerths = 1

  func takeUnsafely(_ isAllowed: Permission) async -> Bool {
    guard freeBerths > 0, await isAllowed() else { return false }
    freeBerths -= 1  // wrong: other calls ran during the await
    return true
  }

  func take(_ isAllowed: Permission) async -> Bool {
    guard freeBerths > 0 else { return false }
    freeBerths -= 1  // in the same step as the check
    guard await isAllowed() else {
      freeBerths += 1
      return false
    }
    return true
  }
}
// end

// snippet
actor ChartLibrary {
  private var charts: [String: [UInt8]] = [:]
  private var downloads: [String: Task<[UInt8], any Error>] = [:]
  private let download: @concurrent @Sendable (String) async throws -> [UInt8]

  init(download: @escaping @concurrent @Sendable (String) async throws -> [UInt8]) {
    self.download = download
  }

  func chart(_ name: String) async throws -> [UInt8] {
    if let chart = charts[name] { return chart }
    if let running = downloads[name] { return try await running.value }
    let task = Task { try await download(name) }
    downloads[name] = task  // stored before the first await
    defer { downloads[name] = nil }
    let chart = try await task.value
    charts[name] = chart
    return chart
  }
}
// end
