/// The sources that a page may load from: its own server, and the sources that are added here.
///
/// Inline scripts and styles are never allowed, and no site may frame a page.
public struct ContentSecurityPolicy: Sendable, Equatable {
  /// Further sources of pictures, such as `https://pictures.example`.
  public var imageSources: [String] = []
  /// Further addresses that scripts may connect to.
  public var connectSources: [String] = []

  /// A policy that allows the page's own server only.
  public init() {}

  var text: String {
    let images = (["'self'", "data:", "blob:"] + imageSources).joined(separator: " ")
    let connections = (["'self'"] + connectSources).joined(separator: " ")
    return "default-src 'none'; script-src 'self'; style-src 'self'; img-src \(images); "
      + "font-src 'self'; media-src 'self'; connect-src \(connections); manifest-src 'self'; "
      + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  }
}
