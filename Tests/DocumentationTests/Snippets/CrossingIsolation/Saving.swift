// snippet
@MainActor final class Logbook {
  var entries: [String] = []

  func save(
    with schedule: (@escaping @Sendable () -> Void) -> Void,
    to write: @escaping @Sendable ([String]) -> Void
  ) {
    schedule { [entries] in write(entries) }  // a copy, made on the main actor
  }
}
// end
