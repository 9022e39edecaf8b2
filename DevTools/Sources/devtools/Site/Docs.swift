import Foundation

/// Writes the documentation as one site.
enum Docs: Command {
  static let name = "docs"
  static let summary = "writes the documentation as one site to .build/docs"
  static let help = """
    USAGE: [BASE=PATH] Scripts/devtools docs [option of `swift build`]...

    Writes the documentation as one site to .build/docs: all libraries, the tutorial and the other guides,
    with one list of pages, which can be searched. A broken link and a parameter without a description
    are errors.
    BASE is the path below which the folder will be hosted, such as /causeway for
    https://example.org/causeway/. Default: the top of a host.

    """

  private static let site = ".build/docs"
  private static let archives = ".build/docs-archives"

  static func lock(_ words: [String]) -> String? { "graphs" }

  static func run(_ words: [String]) throws -> Int32 {
    let base = (variable("BASE") ?? "").trimmingCharacters(
      in: CharacterSet(charactersIn: "/"))
    try SymbolGraphs.build(words)
    // The tools are in the folder of the compiler, which may not be on the PATH.
    let swift = try Shell.output(["sh", "-c", "readlink -f \"$(command -v swift)\""])
    let docc = ((swift as NSString).deletingLastPathComponent as NSString).appendingPathComponent(
      "docc")
    try Files.clear(archives)
    try? FileManager.default.removeItem(atPath: site)

    func convert(_ catalog: String, _ name: String, _ options: [String] = []) throws {
      try require(
        [docc, "convert", catalog] + options + [
          "--fallback-display-name", name, "--fallback-bundle-identifier", "causeway.\(name)",
          "--warnings-as-errors", "--transform-for-static-hosting",
        ] + (base.isEmpty ? [] : ["--hosting-base-path", base]) + [
          "--enable-experimental-external-link-support",
          "--output-path", "\(archives)/\(name).doccarchive",
        ])
    }
    // Every library that apps import has a catalog. The other libraries have no pages.
    let modules = Files.entries(of: "Sources").flatMap(Files.entries)
    for catalog in modules.flatMap(Files.entries) where catalog.hasSuffix(".docc") {
      let module = ((catalog as NSString).lastPathComponent as NSString).deletingPathExtension
      try convert(
        catalog, module, ["--additional-symbol-graph-dir", "\(SymbolGraph.folder)/\(module)"])
    }
    let guides = "\(archives)/Guides.docc"
    try Guides(archives: archives).write(to: guides)
    try convert(guides, "Guides")
    try require(
      [docc, "merge"] + Files.entries(of: archives).filter { $0.hasSuffix(".doccarchive") } + [
        "--output-path", site, "--synthesized-landing-page-name", "Causeway",
      ])
    try require([
      "cp", "Documentation/Site/index.html", "Documentation/Images/architecture.svg", site,
    ])
    // With this file, GitHub Pages also serves files whose names begin with an underscore.
    try Files.write("", to: "\(site)/.nojekyll")

    let missing = try links().filter {
      !Files.exists("\(site)/\($0)" + ($0.hasSuffix("/") ? "index.html" : ""))
    }
    for link in missing { print("error: no page for the link \(link)") }
    guard missing.isEmpty else { return 1 }
    print("The site is in \(site). To read it here, run")
    if base.isEmpty {
      print("  python3 -m http.server --directory \(site)\nand open http://localhost:8000/")
    } else {
      let hosted = ".build/hosted"
      print("  rm -rf \(hosted); mkdir -p \(hosted)/\(base); cp -R \(site)/. \(hosted)/\(base)")
      print(
        "  python3 -m http.server --directory \(hosted)\nand open http://localhost:8000/\(base)/")
    }
    return 0
  }

  private static func require(_ command: [String]) throws {
    guard try Shell.run(command).isSuccess else {
      throw Failure("'\(command.prefix(3).joined(separator: " "))' failed")
    }
  }

  /// Every link of the start page and every link of a page.
  private static func links() throws -> [String] {
    let start = try Files.text("\(site)/index.html").matches(of: #/(?:href|src)="([^":#]+)"/#)
    let found = try Shell.output([
      "grep", "-rhoE", ##""url":"\\?/(documentation|tutorials)[^"#]*"##, "\(site)/data",
    ])
    let pages = Set(found.split(separator: "\n")).map {
      $0.replacing("\\/", with: "/").dropFirst("\"url\":\"/".count) + "/"
    }
    return Set(start.map { String($0.1) } + pages.map { String($0) }).sorted()
  }
}
