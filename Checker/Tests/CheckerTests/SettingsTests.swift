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

  @Test func `An Xcode project gives the settings of each target`() throws {
    let folders = ["App": "Shop", "Widget": nil]
    let settings = [
      "App": "SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor; SWIFT_APPROACHABLE_CONCURRENCY = YES;",
      "Widget": "SWIFT_VERSION = 5.0; SWIFT_UPCOMING_FEATURE_EXISTENTIAL_ANY = YES;"
        + " OTHER_SWIFT_FLAGS = (\"$(inherited)\", \"-enable-upcoming-feature\", Lifetimes);",
      "Project": "SWIFT_VERSION = 6.0;",
    ]
    var objects =
      "P = { isa = PBXProject; buildConfigurationList = ProjectL; targets = (App, Widget); };"
    for (name, values) in settings.sorted(by: { $0.key < $1.key }) {
      objects += """
        \(name)L = { isa = XCConfigurationList; buildConfigurations = (\(name)C); };
        \(name)C /* Debug */ = { isa = XCBuildConfiguration; buildSettings = { \(values) }; };
        """
    }
    for (name, folder) in folders.sorted(by: { $0.key < $1.key }) {
      objects +=
        "\(name) = { isa = PBXNativeTarget; name = \(name); buildConfigurationList = \(name)L;"
      if let folder {
        objects += "fileSystemSynchronizedGroups = (G); };"
        objects += "G = { isa = PBXFileSystemSynchronizedRootGroup; path = \(folder); };"
      } else {
        objects += "};"
      }
    }
    let text = "// !$*UTF8*$!\n{ objects = { \(objects) }; rootObject = P /* Project */; }\n"
    let project = try #require(XcodeProject(Data(text.utf8)))
    let app = try #require(project.target(of: "Shop/Feed.swift"))
    #expect(app.settings.defaultIsolation == .mainActor && app.settings.languageMode == 6)
    #expect(app.settings.has("NonisolatedNonsendingByDefault"))
    let widget = try #require(project.target(of: "Widget/Small/Clock.swift"))
    #expect(widget.settings.defaultIsolation == .nonisolated && widget.settings.languageMode == 5)
    #expect(widget.settings.upcomingFeatures == ["ExistentialAny", "Lifetimes"])
    #expect(project.target(of: "Shared/Model.swift") == nil)
    #expect(project.common.languageMode == 5 && project.common.upcomingFeatures.isEmpty)
    #expect(XcodeProject(Data("{ objects = ".utf8)) == nil)

    try TemporaryFolder.with { folder in
      try folder.write("Shop.xcodeproj/project.pbxproj", text)
      try folder.write("Shop/A.swift", "@MainActor func f() {}\n")
      try folder.write("Widget/B.swift", "@MainActor func f() {}\n")
      let output = try causeway("check", in: folder.path).output
      #expect(output.contains("Shop/A.swift:1:1") && !output.contains("B.swift"))
      // The manifest of a package inside the project is nearer to its files.
      try folder.write("Shop/Kit/Package.swift", "// swift-tools-version: 6.2\n")
      try folder.write("Shop/Kit/Sources/Kit/C.swift", "@MainActor func f() {}\n")
      #expect(try !causeway("check", in: folder.path).output.contains("C.swift"))
    }
  }

  /// The text of a project with an `App` in a nested group and a `Tool`.
  private func project(app: String, tool: String) -> String {
    """
    // !$*UTF8*$!
    { objects = {
      P = { isa = PBXProject; targets = (App, Tool); };
      App = { name = App; buildConfigurationList = AppL; fileSystemSynchronizedGroups = (Shop); };
      AppL = { buildConfigurations = (AppC); };
      AppC = { buildSettings = { \(app) }; };
      Tool = { name = Tool; buildConfigurationList = ToolL; };
      ToolL = { buildConfigurations = (ToolC); };
      ToolC = { buildSettings = { \(tool) }; };
      Main = { isa = PBXGroup; children = (Apps); };
      Apps = { isa = PBXGroup; children = (Shop); path = Apps; };
      Shop = { isa = PBXFileSystemSynchronizedRootGroup; path = Shop; };
    }; rootObject = P; }
    """
  }

  @Test func `Files of a project without a target have no known default isolation`() throws {
    let text = project(app: "SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor;", tool: "")
    let project = try #require(XcodeProject(Data(text.utf8)))
    #expect(project.target(of: "Apps/Shop/Feed.swift")?.name == "App")
    #expect(project.common.defaultIsolation == .unknown)
    try TemporaryFolder.with { folder in
      try folder.write("Shop.xcodeproj/project.pbxproj", text)
      try folder.write(
        "Shared/Feed.swift", "import SwiftUI\n@Observable class Feed { var items = [1] }\n")
      try folder.write(
        "Shared/Box.swift", "final class Box: @unchecked Sendable { var items = [1] }\n")
      try folder.write(
        "Tool/Feed.swift", "import SwiftUI\n@Observable class Feed { var items = [1] }\n")
      let output = try causeway("check", in: folder.path).output
      #expect(output.contains("Tool/Feed.swift:2:") && !output.contains("Shared/"))
    }
  }

  @Test func `Files without a target have the settings of their own project`() throws {
    let isolated = "SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor;"
    try TemporaryFolder.with { folder in
      try folder.write("A/A.xcodeproj/project.pbxproj", project(app: isolated, tool: isolated))
      try folder.write("B/B.xcodeproj/project.pbxproj", project(app: "", tool: ""))
      try folder.write("A/Shared/A.swift", "@MainActor func f() {}\n")
      try folder.write("B/Shared/B.swift", "@MainActor func f() {}\n")
      let output = try causeway("check", in: folder.path).output
      #expect(output.contains("A/Shared/A.swift:1:1") && !output.contains("B.swift"))
    }
  }

  @Test func `A package and a project in one folder divide its files`() throws {
    let isolated = "SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor;"
    try TemporaryFolder.with { folder in
      try folder.write("Shop.xcodeproj/project.pbxproj", project(app: isolated, tool: isolated))
      try folder.write(
        "Package.swift",
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(name: "p", targets: [.target(name: "Tool")])
        """)
      try folder.write("Sources/Tool/A.swift", "@MainActor func f() {}\n")
      try folder.write("Tool/B.swift", "@MainActor func f() {}\n")
      let output = try causeway("check", in: folder.path).output
      #expect(output.contains("Tool/B.swift:1:1") && !output.contains("A.swift"))
    }
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
