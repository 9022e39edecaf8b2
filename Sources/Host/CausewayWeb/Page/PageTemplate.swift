/// A page file with a place for the initial view state.
///
/// The file has the comment `<!-- causeway -->` once, inside `<head>`. The server replaces it with
/// the page script, the session and the initial state. It replaces `{{title}}` with the escaped
/// value named `title`.
public struct PageTemplate: Sendable {
  /// Why a page file cannot be used.
  public enum Invalid: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file has no `<!-- causeway -->` comment.
    case missingPlaceholder
    /// The file has more than one `<!-- causeway -->` comment.
    case repeatedPlaceholder

    /// A sentence that names the fix.
    public var description: String {
      switch self {
      case .missingPlaceholder: "The page needs the comment <!-- causeway --> inside its <head>."
      case .repeatedPlaceholder: "The page must have the comment <!-- causeway --> only once."
      }
    }
  }

  /// The comment that the server replaces.
  static let placeholder = "<!-- causeway -->"

  private let before: String
  private let after: String
  private let source: Source

  /// The text of a page file and its place.
  private final class Source: Sendable {
    let html: String
    let place: String
    let isNamed: Bool

    init(html: String, place: String, isNamed: Bool) {
      self.html = html
      self.place = place
      self.isNamed = isNamed
    }
  }

  /// Reads a page file.
  ///
  /// Throws `Invalid` when the placeholder is missing or repeated. Complexity: O(n).
  ///
  /// - Parameters:
  ///   - html: The file's text.
  ///   - values: The values that replace `{{name}}`. They are escaped here.
  ///   - name: The name of the file in reports of wrong bindings; nil for a text of the program.
  ///   - fileID: The place of the call, for reports without a name; leave it to the compiler.
  ///   - line: The line of the call.
  public init(
    _ html: String, values: [String: String] = [:], name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(Invalid) {
    guard let place = html.firstRange(of: Self.placeholder) else { throw .missingPlaceholder }
    let after = html[place.upperBound...]
    guard !after.contains(Self.placeholder) else { throw .repeatedPlaceholder }
    self.before = Self.fill(html[..<place.lowerBound], values)
    self.after = Self.fill(after, values)
    // Values without line feeds keep the lines of the file.
    let lines = values.mapValues { $0.replacing("\n", with: " ") }
    source = Source(
      html: Self.fill(html[...], lines), place: name ?? "\(fileID):\(line)", isNamed: name != nil)
  }

  /// The same for all copies of a template.
  package var identity: ObjectIdentifier { ObjectIdentifier(source) }

  /// The text of the file, in which each value is on one line.
  package var html: String { source.html }

  /// The place of a line of the file.
  package func place(line: Int) -> String {
    source.isNamed
      ? "\(source.place):\(line)" : "\(source.place), line \(line) of the page"
  }

  private static func fill(_ text: Substring, _ values: [String: String]) -> String {
    var filled = String(text)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      filled = filled.split(separator: "{{\(name)}}", omittingEmptySubsequences: false)
        .joined(separator: HTML.escape(value))
    }
    return filled
  }

  /// The page with a session and its initial state.
  ///
  /// - Parameters:
  ///   - version: The position of the event stream.
  ///   - owner: ``WebSession/owner``.
  ///   - manifest: The path of the web app manifest.
  ///   - state: JSON text that is escaped for HTML.
  func render(
    token: String, version: String, owner: String = "", heartbeat: Duration, zone: String? = nil,
    manifest: String? = nil, state: [UInt8]
  ) -> [UInt8] {
    var bytes = Array(before.utf8)
    bytes.reserveCapacity(bytes.count + state.count + after.utf8.count + 512)
    // With `blocking`, browsers that support it do not paint before the state is in the page.
    bytes.append(
      contentsOf: """
        <meta name="causeway-session" content="\(HTML.escape(token))">
        <meta name="causeway-version" content="\(version)">
        <meta name="causeway-owner" content="\(HTML.escape(owner))">
        <meta name="causeway-worker" content="\(PageScript.workerAddress)">
        <meta name="causeway-heartbeat" content="\(heartbeat / .milliseconds(1))">
        <meta name="causeway-zone" content="\(HTML.escape(zone ?? ""))">
        <script src="\(PageScript.path)" defer blocking="render"></script>

        """.utf8)
    if let manifest { bytes += Array("<link rel=\"manifest\" href=\"\(manifest)\">\n".utf8) }
    bytes += Array("<script type=\"application/json\" id=\"state\">".utf8)
    bytes += state
    bytes.append(contentsOf: "</script>".utf8)
    bytes.append(contentsOf: after.utf8)
    return bytes
  }
}
