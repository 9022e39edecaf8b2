import CausewayData

extension Writer {
  /// Calls a closure, and afterwards does what is to be done about damage that it has come upon.
  nonisolated func handlingDamage<T>(_ body: () async throws -> T) async throws -> T {
    do {
      let result = try await body()
      if file.damage.isNoted { await handleDamage() }
      return result
    } catch {
      if file.damage.isNoted { await handleDamage() }
      throw error
    }
  }

  /// Opens the file and makes its schema current.
  func open() async throws {
    opened = file.identity
    guard !file.isEmptied else {
      let error = PersistenceError(
        .corrupt, message: "The file is empty, but its log has transactions")
      file.damage.note(error)
      throw error
    }
    let connection = try Connection(file, access: .readWrite)
    opened = file.identity
    self.connection = connection
    do {
      let timeout = BusyTimeout(configuration.busyTimeout)
      try await timeout.retry { try connection.configure(configuration) }
      try await timeout.retry { try connection.migrate(migrations) }
      dataVersion = try connection.text("PRAGMA data_version") ?? ""
    } catch {
      if file.damage.isNoted { connection.keepLogWhenClosed() }
      self.connection = nil
      throw error
    }
  }

  /// Reports damage, and puts an empty file in the place of a damaged one if that is wanted.
  ///
  /// Called by the leader, so that nobody writes meanwhile; readers are held back.
  ///
  /// - Throws: What opening throws; reads and writes throw it too, and try again.
  func startAnew() async throws {
    guard configuration.whenDamaged == .startAnew else {
      if let error = file.damage.take() { report(error, setAsideAs: nil) }
      return
    }
    await readers.pause()
    do {
      if let error = file.damage.take() {
        readers.closeAll()
        // What is in the log belongs to the damaged file.
        connection?.keepLogWhenClosed()
        connection = nil
        var target: String?
        defer { report(error, setAsideAs: target) }
        if let opened { target = try file.setAside(opened) }
      } else if isReplaced {
        readers.closeAll()
        connection?.keepLogWhenClosed()
        connection = nil
      }
      if connection == nil { try await open() }
      readers.resume()
      live.invalidate(.everything)
    } catch {
      file.damage.requireReopening()
      let reason = error as? PersistenceError
      readers.resume(
        refusing: reason ?? PersistenceError(.busy, message: "There is no new file yet"))
      throw error
    }
  }

  /// Whether another file is under the path, or none: another process has set the damaged one
  /// aside, or the system has cleared a directory of caches.
  var isReplaced: Bool {
    guard configuration.whenDamaged == .startAnew, connection != nil, let opened else {
      return false
    }
    return !opened.isSameFile(as: file.identity)
  }

  private func handleDamage() async {
    // A closed service has nothing to settle.
    do { try await queue.lead() } catch { return }
    defer { queue.leave() }
    // If it fails, whoever comes next gets the error and tries again.
    if file.damage.isNoted { try? await startAnew() }
  }

  private func report(_ error: PersistenceError, setAsideAs target: String?) {
    configuration.onDamage?(
      SQLiteService.DamageReport(path: file.path, error: error, setAsideAs: target))
  }
}
