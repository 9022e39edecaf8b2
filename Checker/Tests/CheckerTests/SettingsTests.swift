import Foundation
import Testing

@testable import causeway

struct SettingsTests {
  private func manifest(_ body: String, tools: String = "6.2") -> PackageManifest {
    let text = "// swift-tools-version: \(tools)\nimport PackageDescription\n" + body
    return PackageManifest(SourceFile(path: "Package.swift", text: text).tree) { _ in false }
  }

  @Test func `Settings from a target, constants and a loop are combined`() throws {
    let manifest = manifest(
      """
      let shared: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]
      let package = Package(
        name: "p",
        targets: [
          .target(name: "A", dependencies: [.target(name: "B")],
            swiftSettings: shared + [.defaultIsolation(MainActor.self)]),
          .target(name: "B", path: "Elsewhere/B", exclude: ["Old"],
            swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-swift-version", "6"])]),
          .testTarget(name: "ATests"),
        ])
      for target in package.targets where target.type != .test && target.name != "B" {
        target.swiftSettings = (target.swiftSettings ?? []) + [
          .enableUpcomingFeature("NonisolatedNonsendingByDefault")
        ]
      }
      """)
    let a = try #require(manifest.target(of: "Sources/A/Feed.swift"))
    #expect(a.name == "A" && a.settings.defaultIsolation == .mainActor)
    #expect(a.settings.upcomingFeatures == ["ExistentialAny", "NonisolatedNonsendingByDefault"])
    let b = try #require(manifest.target(of: "Elsewhere/B/x.swift"))
    #expect(b.settings.upcomingFeatures.isEmpty && b.settings.languageMode == 6)
    #expect(manifest.target(of: "Elsewhere/B/Old/x.swift") == nil)
    #expect(manifest.target(of: "Tests/ATests/x.swift")?.settings == BuildSettings())
  }

  @Test(arguments: [
    ("5.9", "", 5), ("6.0", "", 6), ("6.2", ", swiftLanguageModes: [.v5]", 5),
    ("5.9", ", swiftLanguageVersions: [.v6]", 6),
  ])
  func `The tools version and the package determine the language mode`(
    tools: String, argument: String, mode: Int
  ) {
    let manifest = manifest(
      "let package = Package(name: \"p\", targets: [.target(name: \"A\")]\(argument))", tools: tools
    )
    #expect(manifest.targets.first?.settings.languageMode == mode)
  }

  @Test func `Settings that a loop appends are found`() {
    let manifest = manifest(
      """
      let package = Package(name: "p", targets: [.target(name: "A")])
      for target in package.targets {
        target.swiftSettings?.append(.defaultIsolation(MainActor.self))
      }
      """)
    #expect(manifest.targets.first?.settings.defaultIsolation == .mainActor)
  }

  @Test func `The manifest gives the settings, and the command line overrides them`() throws {
    try TemporaryFolder.with { folder in
      try folder.write(
        "Package.swift",
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(name: "p", targets: [
          .target(name: "A", swiftSettings: [.defaultIsolation(MainActor.self)]), .target(name: "B"),
        ])
        """)
      try folder.write("Sources/A/A.swift", "@MainActor func f() {}\n")
      try folder.write("Sources/B/B.swift", "@MainActor func f() {}\n")
      let output = try causeway("check", "Sources", in: folder.path).output
      #expect(output.contains("Sources/A/A.swift:1:1") && !output.contains("B.swift"))
      let overridden = try causeway(
        "check", "--default-isolation", "nonisolated", "Sources", in: folder.path)
      #expect(overridden.status == 0)
    }
  }
}
