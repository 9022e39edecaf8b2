/// An error that a page reported: an exception, a console error, or one of the browser's own.
package struct ConsoleProblem: Sendable, Equatable, CustomStringConvertible {
  /// Where it comes from, in the browser's words: such as `exception` or `network`.
  package var source: String
  /// What it says.
  package var text: String
  /// The address that it concerns, where there is one.
  package var url: String

  package var description: String { "[\(source)] \(text) \(url)" }

  /// The problem that an event reports, or `nil` where it reports none.
  init?(event: String, parameters: JSON) {
    switch event {
    case "Runtime.exceptionThrown":
      let details = parameters["exceptionDetails"]
      source = "exception"
      text =
        details?["exception"]?["description"]?.text ?? details?["text"]?.text ?? "an exception"
      url = details?["url"]?.text ?? ""
    case "Runtime.consoleAPICalled":
      guard let type = parameters["type"]?.text, ["error", "assert", "warning"].contains(type)
      else { return nil }
      source = "console"
      guard case .array(let values) = parameters["args"] else { return nil }
      text = values.map { $0["value"]?.text ?? $0["description"]?.text ?? "…" }
        .joined(separator: " ")
      url = ""
    case "Log.entryAdded":
      let entry = parameters["entry"]
      guard entry?["level"]?.text == "error" else { return nil }
      source = entry?["source"]?.text ?? "log"
      text = entry?["text"]?.text ?? ""
      url = entry?["url"]?.text ?? ""
    default:
      return nil
    }
  }
}
