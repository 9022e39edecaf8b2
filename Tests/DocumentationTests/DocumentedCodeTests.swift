import Testing

/// The code in the README, the articles and the other documents.
struct DocumentedCodeTests {
  @Test func `each code block is compiled, and each compiled snippet is shown`() throws {
    let check = DocumentationCheck(
      documents: try Repository.documents(), files: try Repository.snippetFiles(),
      otherCode: try Repository.otherTestCode())
    for problem in check.problems() { Issue.record("\(problem)") }
  }

  @Test func `every documentation catalog is checked`() throws {
    let catalogs = try Repository.files(in: "Sources") { $0.hasSuffix(".docc") }
    let documents = try Repository.documents().map(\.path)
    #expect(!catalogs.isEmpty)
    for catalog in catalogs {
      #expect(documents.contains { $0.hasPrefix("\(catalog)/") }, "\(catalog) has no article.")
    }
  }

  @Test func `each library has a front page that the site and the README link`() throws {
    let manifest = try Repository.text("Package.swift")
    let site = try Repository.text("Documentation/Site/index.html")
    let readme = try Repository.text("README.md")
    let libraries = manifest.matches(of: /\.library\(name: "(?<name>Causeway\w*)"/)
      .map { String($0.name) }
    // The site of CausewayData contains the declarations of the parts that it exports.
    let umbrella = try Repository.text("Sources/Data/CausewayData/CausewayData.swift")
    let parts = Set(
      umbrella.matches(of: /@_exported public import (?<name>\w+)/).map { String($0.name) })
    let umbrellaPage = try Repository.text(
      "Sources/Data/CausewayData/CausewayData.docc/CausewayData.md")
    #expect(!libraries.isEmpty && !parts.isEmpty)
    for library in libraries where parts.contains(library) {
      #expect(umbrellaPage.contains("`\(library)`"), "CausewayData.md does not name \(library).")
      #expect(readme.contains("`\(library)`"), "The README does not name \(library).")
    }
    for library in libraries where !parts.contains(library) {
      let pages = try Repository.files(in: "Sources") {
        $0.hasSuffix("/\(library).docc/\(library).md")
      }
      let isFrontPage = try pages.first.map {
        try Repository.text($0).hasPrefix("# ``\(library)``\n")
      }
      #expect(isFrontPage == true, "\(library) has no front page.")
      #expect(
        site.contains("\"documentation/\(library.lowercased())/\""),
        "Documentation/Site/index.html has no link to \(library).")
      #expect(readme.contains("`\(library)`"), "The README does not name \(library).")
    }
  }

  @Test func `snippets are files of test targets, which compile them`() throws {
    let manifest = try Repository.text("Package.swift")
    let files = try Repository.snippetFiles()
    #expect(!files.isEmpty)
    for file in files where file.path.hasPrefix("Tests/") {
      let target = file.path.split(separator: "/")[1]
      #expect(
        manifest.contains("name: \"\(target)\""),
        "\(file.path) belongs to no target of the package.")
    }
  }
}
