import CWebPage

/// The scripts of a page, built into the program.
package enum PageScript: Sendable {
  /// The script that binds a page to its view state.
  case page
  /// The shared worker that holds the event stream of all pages of a browser.
  case worker

  static let path = "/_causeway/causeway.js"
  static let workerPath = "/_causeway/worker.js"
  /// The longest path of a value that the script watches, in bytes.
  package static let watchedPathLength = 256

  /// The address of the worker.
  ///
  /// It contains the version, because a browser reuses the worker that already runs at an address.
  static let workerAddress = "\(workerPath)?\(EntityTag.bare(of: workerBytes))"

  /// From the lowest layer to the highest.
  private static let pageModules = texts(
    page_paths_js(), page_page_js(), page_patch_js(), page_events_js(), page_tab_js(),
    page_controls_js(), page_storage_js(), page_queue_js(), page_status_js(), page_focus_js(),
    page_rows_js(), page_drafts_js(), page_upload_js(), page_actions_js(), page_reload_js(),
    page_address_js(), page_bindings_js())
  // This module starts the page, so it must be the last one.
  private static let lastModule = texts(page_connection_js())
  private static let pageFile = MemoryFile(script: joined(pageModules + lastModule))
  private static let workerBytes = joined(texts(page_events_js(), page_worker_js()))
  private static let workerFile = MemoryFile(script: workerBytes)

  /// The modules that the page and the service worker share.
  private static let keptModules = texts(page_kept_js(), page_places_js())

  /// The script of a page that keeps its state, with JSON for its constant `offline`.
  static func offlinePage(_ constants: [UInt8]) -> [UInt8] {
    joined(
      [constant(constants)] + pageModules + keptModules + texts(page_keeping_js()) + lastModule)
  }

  /// The service worker, with JSON for its constant `offline`.
  static func serviceWorker(_ constants: [UInt8]) -> [UInt8] {
    joined([constant(constants)] + keptModules + texts(page_service_js()))
  }

  /// The service worker that removes the one of earlier visits.
  static let removal = joined(texts(page_removal_js()))

  /// A tag that changes when the scripts of pages that keep their state change.
  static let offlineTag = EntityTag.of(offlinePage([]) + serviceWorker([]))

  private static func constant(_ json: [UInt8]) -> String {
    "const offline = \(String(decoding: json, as: UTF8.self));\n"
  }

  private static func texts(_ files: UnsafePointer<CChar>...) -> [String] {
    files.map { String(cString: $0) }
  }

  /// Joins modules to one script, because a page and a worker each load one file.
  ///
  /// All modules then share one scope, so their imports and the word `export` are omitted. Lines with
  /// comments are omitted too, because they are a quarter of the bytes.
  private static func joined(_ modules: [String]) -> [UInt8] {
    var script = Array("(() => {\n\"use strict\";\n".utf8)
    for module in modules {
      var isImport = false
      for line in module.utf8.split(separator: 10, omittingEmptySubsequences: false) {
        isImport = isImport || line.starts(with: "import ".utf8)
        let isComment = line.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8)
        if !isImport, !isComment {
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
    switch self {
    case .page: Self.pageFile.response(for: request)
    case .worker: Self.workerFile.response(for: request)
    }
  }
}
