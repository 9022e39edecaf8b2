import CausewaySystem

extension Recording {
  /// The recording for people: one line for each event, and one for each change.
  ///
  /// The texts come from a file, so control characters are escaped.
  package var text: String {
    var lines = ["Recording of \(header.program), \(events.count) events"]
    for event in events {
      lines.append(event.line)
      for change in event.changes ?? [] {
        lines.append("              \(change.text)")
      }
    }
    if unknownLines > 0 {
      lines.append("Lines of a later version, which are left out: \(unknownLines).")
    }
    if isTorn { lines.append("The last line is not complete, so it is left out.") }
    return lines.map { PrintableText.escaped($0, limit: 400) + "\n" }.joined()
  }
}

extension RecordedEvent {
  /// The event in one line.
  fileprivate var line: String {
    let time = Recording.padded("\(at / 1_000)", to: 9)
    let place = [model, step.map { "step \($0)" }].compactMap { $0 }.joined(separator: " ")
    let what =
      switch kind {
      case .action: value ?? title
      case .model: "begins, feature \(title)"
      case .handling: "was handling \(value ?? title) when the file was written"
      default: [title, value, tookText].compactMap { $0 }.joined(separator: ", ")
      }
    return "\(time) ms  \(place.isEmpty ? lane.rawValue : place): \(what)"
  }
}

extension RecordedEvent {
  /// The time that a query or a request took; `nil` if it is not known.
  var tookText: String? {
    took.map { $0 < 10_000 ? "\($0) µs" : "\($0 / 1_000) ms" }
  }
}

extension RecordedEvent.Change {
  /// The change in one line.
  package var text: String {
    "\(path.isEmpty ? "state" : path): \(before ?? "–") → \(after ?? "–")"
  }
}

extension Recording {
  fileprivate static func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
