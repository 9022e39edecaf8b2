/// The sources that a page may load from: its own server, and the sources that are added here.
///
/// Inline scripts and styles are never allowed, and no site may frame a page of an app.
public struct ContentSecurityPolicy: Sendable, Equatable {
  /// Further sources of pictures, such as `https://pictures.example`.
  public var imageSources: [String] = []
  /// Further addresses that scripts may connect to.
  public var connectSources: [String] = []
  /// The addresses of pages that a page shows in frames.
  package var frameSources: [String] = []
  /// The addresses of pages that may frame the pages of this server.
  package var frameAncestors: [String] = []

  /// A policy that allows the page's own server only.
  public init() {}

  var text: String {
    let images = (["'self'", "data:", "blob:"] + imageSources).joined(separator: " ")
    let connections = (["'self'"] + connectSources).joined(separator: " ")
    let frames = frameSources.isEmpty ? "" : "frame-src \(frameSources.joined(separator: " ")); "
    let ancestors = frameAncestors.isEmpty ? "'none'" : frameAncestors.joined(separator: " ")
    return "default-src 'none'; script-src 'self'; style-src 'self'; img-src \(images); "
      + "font-src 'self'; media-src 'self'; connect-src \(connections); manifest-src 'self'; "
      + "worker-src 'self'; "
      + "form-action 'self'; base-uri 'none'; \(frames)frame-ancestors \(ancestors)"
  }
}
