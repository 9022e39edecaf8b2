/// The scripts of a page, built into the program.
enum PageScript: Sendable {
  /// The script that binds a page to its view state.
  case page
  /// The shared worker that holds the event stream of all pages of a browser.
  case worker

  static let path = "/_causeway/causeway.js"
  static let workerPath = "/_causeway/worker.js"
  /// The longest path of a value that the script watches, in bytes.
  static let watchedPathLength = 256

  /// The address of the worker.
  ///
  /// It contains the version, because a browser reuses the worker that already runs at an address.
  static let workerAddress = "\(workerPath)?\(workerEntityTag.filter { $0 != "\"" })"

  private static let pageBytes = joined([
    PackageResources.causeway_js, PackageResources.events_js, PackageResources.controls_js,
    PackageResources.rows_js,
    PackageResources.focus_js, PackageResources.storage_js, PackageResources.drafts_js,
    PackageResources.upload_js, PackageResources.tab_js,
    PackageResources.actions_js, PackageResources.address_js,
    // This module starts the page, so it must be the last one.
    PackageResources.connection_js,
  ])
  private static let pageEntityTag = EntityTag.of(pageBytes)
  private static let workerBytes = joined([
    PackageResources.events_js, PackageResources.worker_js,
  ])
  private static let workerEntityTag = EntityTag.of(workerBytes)

  /// Joins modules to one script, because a page and a worker each load one file.
  ///
  /// All modules then share one scope, so their imports and the word `export` are omitted.
  static func joined(_ modules: [[UInt8]]) -> [UInt8] {
    var script = Array("(() => {\n\"use strict\";\n".utf8)
    for module in modules {
      var isImport = false
      for line in module.split(separator: 10, omittingEmptySubsequences: false) {
        isImport = isImport || line.starts(with: "import ".utf8)
        if !isImport {
          let isExport = line.starts(with: "export ".utf8)
          script.append(contentsOf: isExport ? line.dropFirst("export ".utf8.count) : line)
          script.append(10)
        }
        // An import ends with a semicolon, perhaps in a later line.
        if line.last == UInt8(ascii: ";") { isImport = false }
      }
    }
    script.append(contentsOf: "})();\n".utf8)
    return script
  }

  func response(for request: Request) -> Response {
    let (bytes, tag) =
      switch self {
      case .page: (Self.pageBytes, Self.pageEntityTag)
      case .worker: (Self.workerBytes, Self.workerEntityTag)
      }
    return .representation(
      of: .bytes(bytes, entityTag: tag), type: "text/javascript; charset=utf-8",
      cacheControl: "no-cache", for: request)
  }
}
