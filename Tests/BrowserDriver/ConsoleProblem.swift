/// An error that a page reported: an exception, a console error, or a browser error.
public struct ConsoleProblem: Sendable, Equatable, CustomStringConvertible {
  /// The source of the error in the browser's terms, such as `exception` or `network`.
  public var source: String
  /// The message.
  public var text: String
  /// The address of the faulty resource, if there is one.
  public var url: String

  /// The source, the message and the address.
  public var description: String { "[\(source)] \(text) \(url)" }

  init(source: String, text: String, url: String) {
    (self.source, self.text, self.url) = (source, text, url)
  }

  /// The problem that an event of Chromium reports, or `nil`.
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
