/// An error of a browser test's driver.
public enum BrowserError: Error, Equatable, CustomStringConvertible {
  /// No browser of the kind was found in the given places.
  case notInstalled(BrowserKind, searched: [String])
  /// The browser has no such command.
  case unsupported(BrowserKind, command: String)
  /// The browser ended or never answered. The value is the error output of the browser.
  case ended(output: String)
  /// The browser rejected a command.
  case refused(command: String, message: String)
  /// The browser did not answer a command in time.
  case unanswered(command: String, after: Duration)
  /// An address could not be loaded.
  case unreachable(url: String, reason: String)
  /// A script of the test threw an error in the page.
  case script(source: String, message: String)
  /// A condition was not met in time. The values are the text of the page at that time, and the errors
  /// that it has reported.
  case timedOut(condition: String, after: Duration, page: String, problems: [ConsoleProblem])
  /// An element cannot be clicked or typed into, for the given reason.
  case unusable(selector: String, reason: String)

  /// What went wrong, and how to fix it.
  public var description: String {
    switch self {
    case .notInstalled(let kind, let searched):
      """
      No \(kind) was found (searched \(searched.joined(separator: ", "))). Run `make test`, which \
      installs it, or install it yourself (Debian: apt-get install \(kind.package)), or set \
      \(kind.variable) to the path of its executable.
      """
    case .unsupported(let kind, let command): "\(kind) cannot \(command)."
    case .ended(let output): "The browser ended. It wrote: \(output.isEmpty ? "nothing" : output)"
    case .refused(let command, let message): "The browser refused \(command): \(message)"
    case .unanswered(let command, let limit): "No answer to \(command) within \(limit)."
    case .unreachable(let url, let reason): "\(url) could not be loaded: \(reason)"
    case .script(let source, let message): "The page threw \(message) in: \(source)"
    case .timedOut(let condition, let limit, let page, let problems):
      """
      Not true within \(limit): \(condition)
      \(problems.map { "The page reported: \($0)\n" }.joined())The page shows:
      \(page)
      """
    case .unusable(let selector, let reason): "\(selector) cannot be used: \(reason)"
    }
  }
}
