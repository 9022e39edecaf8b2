import Foundation

/// The files of a server whose pages show their last state without a connection.
///
/// All of them depend on the build: a hash of the scripts, page files, assets and settings. So a new
/// version of the host has another worker, and the worker never mixes files of two versions.
struct OfflineFiles: Sendable {
  let build: String
  private let page: MemoryFile
  private let worker: MemoryFile
  private let manifest: MemoryFile
  /// The page files without a session and a state; nil for a file of pages that are not kept.
  private let shells: [MemoryFile?]

  static let workerPath = "/_causeway/service.js"
  static let shellPath = "/_causeway/shell"
  static let manifestPath = "/manifest.webmanifest"

  /// The largest size of all assets together, in bytes; assets beyond it are not kept offline.
  private static let assetBytes = 8 << 20

  init(_ options: OfflinePages, _ router: Router, heartbeat: Duration) {
    let assets = Self.assets(of: router)
    let templates = Self.templates(of: router)
    let bodies = templates.map { template in
      template.render(
        token: "", version: "0", heartbeat: heartbeat, manifest: Self.manifestPath,
        state: Array("null".utf8))
    }
    let routes = Self.routes(of: router, templates, options)
    let paths = [PageScript.path, Self.manifestPath] + assets.map(\.path)
    var ofPage = PageConstants(hiding: options.hiddenNames.sorted(), routes: routes)
    var ofWorker = WorkerConstants(assets: paths, routes: routes)
    let manifest = Self.text(Manifest(options, router))
    // A new setting removes what the browsers have kept with the old one.
    let parts = [Self.text(ofPage), Self.text(ofWorker), manifest] + bodies
    let tags = [PageScript.offlineTag] + assets.map(\.tag) + parts.map { EntityTag.of($0) }
    build = EntityTag.bare(of: Array(tags.joined(separator: " ").utf8))
    (ofPage.build, ofWorker.build) = (build, build)
    page = MemoryFile(script: PageScript.offlinePage(Self.text(ofPage)))
    worker = MemoryFile(
      script: PageScript.serviceWorker(Self.text(ofWorker)), headers: Self.workerHeaders)
    self.manifest = MemoryFile(manifest, type: "application/manifest+json")
    // A browser that opens this address must not start the script without a state.
    shells = bodies.enumerated().map { index, body in
      let isUsed = routes.contains { $0.shell == index }
      return isUsed ? MemoryFile(body, type: "text/plain; charset=utf-8") : nil
    }
  }

  /// The worker's path is in a folder, but the worker answers for the pages at all paths.
  private static let workerHeaders: HTTPHeaders = ["Service-Worker-Allowed": "/"]

  /// The worker that is served without the option: it removes the earlier worker and all that was
  /// kept.
  static func removal(for request: Request) -> Response { removalFile.response(for: request) }
  private static let removalFile = MemoryFile(script: PageScript.removal, headers: workerHeaders)

  /// The page script.
  func script(for request: Request) -> Response { page.response(for: request) }

  /// The answer to a request for a worker, a shell or the manifest.
  func response(for request: Request) -> Response {
    switch request.path {
    case Self.workerPath: return worker.response(for: request)
    case Self.manifestPath: return manifest.response(for: request)
    default:
      guard request.query("build") == build,
        let index = request.query("page").flatMap(Int.init), shells.indices.contains(index),
        let shell = shells[index]
      else {
        return Problem.notFound("This version of the server has no such page.").response
      }
      return shell.response(for: request)
    }
  }

  private static func assets(of router: Router) -> [(path: String, tag: String)] {
    var left = assetBytes
    return router.assets.compactMap { route in
      guard let (bytes, response) = asset(route), let tag = response.headers["ETag"],
        bytes.count <= left
      else { return nil }
      left -= bytes.count
      return (route.pattern.text, tag)
    }
  }

  fileprivate static func asset(_ route: Route) -> (bytes: [UInt8], response: Response)? {
    guard case .immediate(let respond) = route.answer else { return nil }
    let response = respond(Request(.get, route.pattern.text))
    guard case .bytes(let bytes) = response.body else { return nil }
    return (bytes, response)
  }

  private static func templates(of router: Router) -> [PageTemplate] {
    var known: Set<ObjectIdentifier> = []
    return router.pages.map(\.template).filter { known.insert($0.identity).inserted }
  }

  /// The patterns with the indices of their shells; -1 for a route that is not kept.
  ///
  /// The worker must find the same route as the server. Routes that match no path of a page are left
  /// out.
  private static func routes(
    of router: Router, _ templates: [PageTemplate], _ options: OfflinePages
  ) -> [KeptRoute] {
    let routes = router.reads
    let pages = routes.filter { if case .page = $0.answer { true } else { false } }
    return routes.compactMap { route in
      var shell = -1
      if case .page(let page) = route.answer {
        if options.pages?.contains(route.pattern.text) != false {
          shell = templates.firstIndex { $0.identity == page.template.identity } ?? -1
        }
      } else if !pages.contains(where: { $0.pattern.overlaps(route.pattern) }) {
        return nil
      }
      return KeptRoute(pattern: route.pattern.text, shell: shell)
    }
  }

  /// JSON with sorted names.
  ///
  /// The same version must give the same bytes in each process, because other bytes would make a
  /// browser install a new worker.
  private static func text(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // These values have no numbers that JSON cannot write, so this always succeeds.
    return Array((try? encoder.encode(value)) ?? Data("{}".utf8))
  }
}

/// A pattern and the index of its shell, as an array.
private struct KeptRoute: Encodable {
  let pattern: String
  let shell: Int

  func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(pattern)
    try values.encode(shell)
  }
}

/// The constants of the page script.
private struct PageConstants: Encodable {
  var build = ""
  let hiding: [String]
  let routes: [KeptRoute]
  var worker = OfflineFiles.workerPath
  var days = OfflinePages.days
}

/// The constants of the service worker.
private struct WorkerConstants: Encodable {
  var build = ""
  let assets: [String]
  let routes: [KeptRoute]
  var days = OfflinePages.days
  var patience = OfflinePages.patience
}

/// A web app manifest.
private struct Manifest: Encodable {
  struct Icon: Encodable {
    let src, type, sizes: String
  }

  var id = "/"
  let name: String
  var start_url = "/"
  var scope = "/"
  var display = "standalone"
  let theme_color, background_color: String
  let icons: [Icon]

  init(_ options: OfflinePages, _ router: Router) {
    (name, theme_color) = (options.name, options.themeColor)
    background_color = options.backgroundColor
    icons = options.icons.map { path in
      let asset = router.assets.first { $0.pattern.text == path }.flatMap(OfflineFiles.asset)
      return Icon(
        src: path, type: MediaType.of(path: path),
        sizes: asset.flatMap { Self.sizes(ofPNG: $0.bytes) } ?? "any")
    }
  }

  /// The size in the first chunk of a PNG file (PNG, section 11.2.1); nil for other files.
  private static func sizes(ofPNG bytes: [UInt8]) -> String? {
    let head = Array(bytes.prefix(24))
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    guard head.count == 24, head.starts(with: signature),
      head[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    let sides = [head[16..<20], head[20..<24]].map { $0.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
    // PNG allows at most 31 bits.
    return sides.allSatisfy { (1...UInt32(Int32.max)).contains($0) }
      ? sides.map(String.init).joined(separator: "x") : nil
  }
}
