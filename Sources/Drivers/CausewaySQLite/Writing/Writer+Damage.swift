import CausewayDatabase

extension Writer {
  /// Calls a closure, and afterwards handles any damage that the closure detected.
  nonisolated func handlingDamage<T>(_ body: () async throws -> T) async throws -> T {
    do {
      let result = try await body()
      if file.condition.isNoted { await handleDamage() }
      return result
    } catch {
      if file.condition.isNoted { await handleDamage() }
      throw error
    }
  }

  /// Reports damage; a cache then gets an empty file in place of the damaged one.
  ///
  /// The leader calls this function, so no write runs at the same time. Reads are paused.
  ///
  /// - Throws: The error of opening the file. Reads and writes throw it too, and try to open the
  ///   file again.
  func startAnew() async throws {
    guard configuration.startsAnewWhenDamaged else {
      if let error = file.condition.takeDamage() {
        file.condition.publish(error)
        report(error, setAsideAs: nil)
      }
      return
    }
    await readers.pause()
    do {
      if let error = file.condition.takeDamage() {
        readers.closeAll()
        // The log belongs to the damaged file.
        connection?.keepLogWhenClosed()
        connection = nil
        var target: String?
        defer { report(error, setAsideAs: target) }
        if let opened = file.condition.opened.file { target = try file.setAside(opened) }
      } else if connection != nil, file.hasLostWrites {
        readers.closeAll()
        connection?.keepLogWhenClosed()
        connection = nil
      }
      if connection == nil { try await open() }
      file.condition.publish(nil)
      rowLog.addEverything()
      readers.resume()
      live.invalidate(.everything)
    } catch {
      file.condition.requireReopening()
      let reason = error as? PersistenceError
      readers.resume(
        refusing: reason ?? PersistenceError(.busy, message: "There is no new file yet"))
      throw error
    }
  }

  private nonisolated func handleDamage() async {
    // If the service is closed, no response is needed.
    do { try await queue.lead() } catch { return }
    defer { queue.leave() }
    // If this fails, the next transaction tries again, and throws its error.
    if file.condition.isNoted { try? await startAnew() }
  }

  /// Throws if a commit would be lost, because the file was moved, replaced or removed.
  ///
  /// A cache opens the new file instead.
  nonisolated func checkLocation() throws(PersistenceError) {
    guard !configuration.startsAnewWhenDamaged, noteLocation() else { return }
    throw PersistenceError.replaced(file)
  }

  /// Publishes and reports that the files were replaced, or that they are back.
  ///
  /// - Returns: Whether the files are replaced.
  @discardableResult
  nonisolated func noteLocation() -> Bool {
    let condition = file.condition
    guard file.hasLostWrites else {
      if condition.problem?.kind == .fileReplaced { condition.publish(nil) }
      return false
    }
    // The problem of a damaged file does not change.
    if let problem = condition.problem, problem.kind != .fileReplaced { return true }
    let replaced = PersistenceError.replaced(file)
    if condition.publish(replaced), !configuration.startsAnewWhenDamaged {
      report(replaced, setAsideAs: nil)
    }
    return true
  }

  nonisolated func report(_ error: PersistenceError, setAsideAs target: String?) {
    configuration.onDamage?(
      SQLiteDamageReport(path: file.path, error: error, setAsideAs: target))
  }
}
