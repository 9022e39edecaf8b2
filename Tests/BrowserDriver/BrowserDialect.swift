/// How a browser writes commands and events.
protocol BrowserDialect: Sendable {
  /// The event of a dialog, such as the warning before a page is left.
  var dialog: String { get }
  /// The event of a new page in a tab; nil if the browser answers the scripts of the previous page.
  ///
  /// After this event, the scripts of the previous page get no answer.
  var newPage: String? { get }

  func message(id: Int, _ command: String, _ parameters: JSON, tab: String?) -> JSON
  /// The reason in an answer to a failed command; nil if the command has succeeded.
  func failure(_ answer: JSON) -> String?
  /// The tab of an event.
  func tab(of event: JSON) -> String?
  /// The command that accepts a dialog.
  func accepting(dialogOf tab: String) -> (command: String, parameters: JSON)
  /// The problem that an event reports.
  func problem(event: String, _ parameters: JSON) -> ConsoleProblem?
}

/// The protocol of Chromium's developer tools.
struct DevTools: BrowserDialect {
  let dialog = "Page.javascriptDialogOpening"
  let newPage: String? = nil

  func message(id: Int, _ command: String, _ parameters: JSON, tab: String?) -> JSON {
    var members: [String: JSON] = [
      "id": .number(Double(id)), "method": .string(command), "params": parameters,
    ]
    if let tab { members["sessionId"] = .string(tab) }
    return .object(members)
  }

  func failure(_ answer: JSON) -> String? {
    answer["error"].map { $0["message"]?.text ?? "no reason given" }
  }

  func tab(of event: JSON) -> String? { event["sessionId"]?.text }

  func accepting(dialogOf tab: String) -> (command: String, parameters: JSON) {
    ("Page.handleJavaScriptDialog", ["accept": true])
  }

  func problem(event: String, _ parameters: JSON) -> ConsoleProblem? {
    ConsoleProblem(event: event, parameters: parameters)
  }
}

/// WebDriver BiDi, which Firefox speaks.
struct BiDi: BrowserDialect {
  let dialog = "browsingContext.userPromptOpened"
  let newPage: String? = "browsingContext.navigationCommitted"

  func message(id: Int, _ command: String, _ parameters: JSON, tab: String?) -> JSON {
    ["id": .number(Double(id)), "method": .string(command), "params": parameters]
  }

  func failure(_ answer: JSON) -> String? {
    guard let code = answer["error"]?.text else { return nil }
    let message = answer["message"]?.text ?? ""
    // The page was left while the browser ran the command.
    let isLeft = ["AbortError", "Discarded", "destroyed", "no such frame"].contains {
      message.contains($0) || code.contains($0)
    }
    return (isLeft ? "navigated: " : "") + "\(code): \(message)"
  }

  func tab(of event: JSON) -> String? {
    let parameters = event["params"]
    return parameters?["context"]?.text ?? parameters?["source"]?["context"]?.text
  }

  func accepting(dialogOf tab: String) -> (command: String, parameters: JSON) {
    ("browsingContext.handleUserPrompt", ["context": .string(tab), "accept": true])
  }

  func problem(event: String, _ parameters: JSON) -> ConsoleProblem? {
    guard event == "log.entryAdded", let text = parameters["text"]?.text else { return nil }
    switch parameters["type"]?.text {
    case "console":
      guard ["error", "assert", "warn"].contains(parameters["method"]?.text) else { return nil }
      return ConsoleProblem(source: "console", text: text, url: "")
    case "javascript":
      guard parameters["level"]?.text == "error" else { return nil }
      guard case .array(let frames)? = parameters["stackTrace"]?["callFrames"] else {
        return ConsoleProblem(source: "exception", text: text, url: "")
      }
      return ConsoleProblem(
        source: "exception", text: text, url: frames.first?["url"]?.text ?? "")
    default: return nil
    }
  }
}
