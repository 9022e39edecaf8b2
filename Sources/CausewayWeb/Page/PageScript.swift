/// The script that binds a page to its view state, built into the program.
enum PageScript {
  static let path = "/_causeway/causeway.js"
  static let bytes = PackageResources.causeway_js
  static let entityTag = EntityTag.of(bytes)

  static func response(for request: Request) -> Response {
    .representation(
      of: .bytes(bytes, entityTag: entityTag), type: "text/javascript; charset=utf-8",
      cacheControl: "no-cache", for: request)
  }
}
