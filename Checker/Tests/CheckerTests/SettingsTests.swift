import Foundation
import Testing

@testable import causeway

struct SettingsTests {
  private func manifest(_ body: String, tools: String = "6.2") -> PackageManifest {
    let text = "// swift-tools-version: \(tools)\nimport PackageDescription\n" + body
    return PackageManifest(SourceFile(path: "Package.swift", text: text).tree) { _ in false }
  }

  @Test func `A target can be in a folder of the usual folder`() throws {
    let text = """
      let package = Package(name: "p", targets: [
        .target(name: "A", swiftSettings: [.defaultIsolation(MainActor.self)])
      ])
      """
    let manifest = PackageManifest(SourceFile(path: "Package.swift", text: text).tree) { _ in
      false
    } room: { folder, target in
      folder == "Sources" && target == "A" ? "Data" : nil
    }
    let a = try #require(manifest.target(of: "Sources/Data/A/Rows/Row.swift"))
    #expect(a.settings.defaultIsolation == .mainActor)
  }

  @Test(arguments: [
    (".", "A.swift", true), (".", "Low/A.swift", true), (".", "Package.swift", false),
    (".", "Package@swift-6.1.swift", false), (".", "Old/A.swift", false),
    ("./App/", "App/A.swift", true),
    ("App", "Application/A.swift", false), ("./App//Low", "App/Low/A.swift", true),
    ("App", "App/Old/A.swift", false),
  ])
  func `A target can have its folder in another spelling`(path: String, file: String, isIn: Bool) {
    let manifest = manifest(
      """
      let package = Package(name: "p", targets: [
        .target(name: "A", path: "\(path)", exclude: ["./Old/"], sources: ["."])
      ])
      """)
    #expect((manifest.target(of: file) != nil) == isIn)
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
    let tests = try #require(manifest.target(of: "Tests/ATests/x.swift")).settings
    #expect(tests.languageMode == 6 && tests.compiler == Version(6, 2) && tests.systems == nil)
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
    let app = try #require(project.targets(of: "Shop/Feed.swift").first)
    #expect(app.settings.defaultIsolation == .mainActor && app.settings.languageMode == 6)
    #expect(app.settings.has("NonisolatedNonsendingByDefault"))
    let widget = try #require(project.targets(of: "Widget/Small/Clock.swift").first)
    #expect(widget.settings.defaultIsolation == .nonisolated && widget.settings.languageMode == 5)
    #expect(widget.settings.upcomingFeatures == ["ExistentialAny", "Lifetimes"])
    #expect(project.targets(of: "Shared/Model.swift").isEmpty)
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
    let mode = "SWIFT_VERSION = 5.0;"
    let text = project(app: mode + "SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor;", tool: mode)
    let project = try #require(XcodeProject(Data(text.utf8)))
    #expect(project.targets(of: "Apps/Shop/Feed.swift").first?.name == "App")
    #expect(project.common.defaultIsolation == .unknown)
    let members = "{ var items = [1]; func load() async { items = [] } }\n"
    let feed = "import SwiftUI\n@Observable class Feed \(members)"
    try TemporaryFolder.with { folder in
      try folder.write("Shop.xcodeproj/project.pbxproj", text)
      try folder.write("Shared/Feed.swift", feed)
      try folder.write("Shared/Box.swift", "final class Box: @unchecked Sendable \(members)")
      try folder.write("Tool/Feed.swift", feed)
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

  @Test func `A file has the settings of its target in a folder with a package and a project`()
    throws
  {
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

  @Test func `A manifest or project above the repository is ignored`() throws {
    let isolated = "SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor;"
    try TemporaryFolder.with { folder in
      try folder.write("Package.swift", "// swift-tools-version: 6.2\n")
      try folder.write("A.xcodeproj/project.pbxproj", project(app: isolated, tool: isolated))
      try folder.write("App/.git/HEAD", "ref: refs/heads/main\n")
      try folder.write("App/A.swift", "@MainActor func f() {}\n")
      #expect(try causeway("check", "App", in: folder.path).status == 0)
      let migration = try causeway(
        "migrate", "--dry-run", "--default-isolation", "MainActor", "App", in: folder.path)
      #expect(migration.status == 0, "\(migration.output)")
      // A working tree beside its repository has a file.
      try folder.write("Tree/.git", "gitdir: /home/app/.git/worktrees/Tree\n")
      try folder.write("Tree/A.swift", "@MainActor func f() {}\n")
      #expect(try causeway("check", "Tree", in: folder.path).status == 0)
      // The manifest of the repository itself counts. For a submodule, the manifest of the
      // repository around it counts.
      try folder.write(
        "App/Package.swift",
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(name: "p", targets: [
          .target(name: "A", path: ".", swiftSettings: [.defaultIsolation(MainActor.self)]),
        ])
        """)
      #expect(try causeway("check", "App", in: folder.path).status == 1)
      try folder.write("Sub/.git", "gitdir: ../.git/modules/Sub\n")
      try folder.write("Sub/A.swift", "@MainActor func f() {}\n")
      #expect(try causeway("check", "Sub", in: folder.path).status == 1)
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

  // MARK: Configuration files

  /// The text of a project whose settings are in `.xcconfig` files.
  private let configured = """
    // !$*UTF8*$!
    { objects = {
      P = { isa = PBXProject; attributes = { LastUpgradeCheck = 1640; }; targets = (App, Old);
        buildConfigurationList = PL; };
      PL = { buildConfigurations = (PC); };
      PC = { name = Debug; baseConfigurationReference = Shared; buildSettings = {
        MACOSX_DEPLOYMENT_TARGET = 10.15; }; };
      App = { name = App; buildConfigurationList = AppL; };
      AppL = { buildConfigurations = (AppD, AppR); };
      AppD = { name = Debug; baseConfigurationReference = AppFile; buildSettings = { }; };
      AppR = { name = Release; baseConfigurationReference = AppFile; buildSettings = { }; };
      Old = { name = Old; buildConfigurationList = OldL; };
      OldL = { buildConfigurations = (OldC); };
      OldC = { name = Debug; baseConfigurationReference = Missing; buildSettings = {
        "SWIFT_VERSION[sdk=iphoneos*]" = 6.0; }; };
      Main = { isa = PBXGroup; children = (Files); };
      Files = { isa = PBXGroup; path = Config; children = (Shared, AppFile, Missing); };
      Shared = { isa = PBXFileReference; path = Shared.xcconfig; sourceTree = "<group>"; };
      AppFile = { isa = PBXFileReference; path = App.xcconfig; sourceTree = "<group>"; };
      Missing = { isa = PBXFileReference; path = "Missing.xcconfig"; sourceTree = "<group>"; };
    }; rootObject = P; }
    """

  @Test func `Settings come from configuration files and those that they include`() throws {
    let files = [
      "Config/Shared.xcconfig": """
      // OTHER_SWIFT_FLAGS = -swift-version 4
      OTHER_SWIFT_FLAGS = -enable-upcoming-feature ExistentialAny // for all
      SDKROOT = iphoneos
      """,
      "Config/App.xcconfig": """
      #include "../Common/Mode.xcconfig"
      #include? "Private.xcconfig"
      SWIFT_VERSION = $(MODE).0;
      OTHER_SWIFT_FLAGS = $(inherited) -enable-upcoming-feature MemberImportVisibility
      IPHONEOS_DEPLOYMENT_TARGET = 18.5
      """,
      "Config/../Common/Mode.xcconfig": "#include \"../Config/App.xcconfig\"\nMODE = 6\n",
    ]
    let project = try #require(XcodeProject(Data(configured.utf8)) { files[$0] })
    let app = project.targets[0].settings
    #expect(app.languageMode == 6 && app.compiler == Version(6, 1))
    #expect(app.upcomingFeatures == ["ExistentialAny", "MemberImportVisibility"])
    // The project states a deployment target for a system that the app is not built for.
    #expect(app.systems == [.iOS: Version(18, 5)])
    // The version is in a file that is missing, or depends on the system.
    let old = project.targets[1].settings
    #expect(old.languageMode == nil && !old.isSwift6 && old.upcomingFeatures == ["ExistentialAny"])
    #expect(project.common.languageMode == nil)
  }

  @Test func `With an unknown language mode, rules for Swift 6 are silent`() throws {
    try TemporaryFolder.with { folder in
      try folder.write(
        "A.swift",
        """
        import Dispatch
        @MainActor final class Feed {
          func show() async { DispatchQueue.main.async { print(1) } }
        }

        """)
      let rule = "--only=main-queue-hop"
      #expect(try causeway("check", rule, in: folder.path).status == 0)
      #expect(try causeway("check", rule, "--swift-version", "5", in: folder.path).status == 0)
      let output = try causeway("check", rule, "--swift-version", "6", in: folder.path).output
      #expect(output.contains("[main-queue-hop]"))
    }
  }

  @Test(arguments: [
    ("6.2", "[.macOS(.v26)]", true), ("6.2", "[.macOS(.v15)]", false), ("6.2", nil, false),
    ("6.2", "[.macOS(\"15.4\"), .iOS(\"18.4\")]", true), ("6.1", "[.macOS(.v26)]", false),
    ("6.2", "[.macOS(.v26), .iOS(.v17)]", false),
    ("6.2", "[.macOS(.v26), .macCatalyst(.v17)]", false),
  ])
  func `Advice that needs a new compiler or system looks at what the package supports`(
    tools: String, platforms: String?, isAllowed: Bool
  ) {
    let argument = platforms.map { ", platforms: \($0)" } ?? ""
    let manifest = manifest(
      "let package = Package(name: \"p\"\(argument), targets: [.target(name: \"A\")])", tools: tools
    )
    #expect(manifest.targets.first?.settings.allows(.isolatedDeinit) == isAllowed)
  }

  // MARK: Files of several targets

  /// The text of a project whose targets `App`, on the main actor by default, and `Widget` share
  /// `Shared/Both.swift` by their phases, and `Folder/Both.swift` by an exception.
  private let shared = """
    // !$*UTF8*$!
    { objects = {
      P = { isa = PBXProject; targets = (App, Widget); };
      App = { name = App; buildConfigurationList = AppL; buildPhases = (AppS);
        fileSystemSynchronizedGroups = (Folder); };
      AppL = { buildConfigurations = (AppC); };
      AppC = { buildSettings = { SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor; SWIFT_VERSION = 6.0; }; };
      AppS = { isa = PBXSourcesBuildPhase; files = (B1, B2); };
      Widget = { name = Widget; buildConfigurationList = WL; buildPhases = (WS); };
      WL = { buildConfigurations = (WC); };
      WC = { buildSettings = { SWIFT_VERSION = 6.0; }; };
      WS = { isa = PBXSourcesBuildPhase; files = (B3); };
      B1 = { isa = PBXBuildFile; fileRef = Both; };
      B2 = { isa = PBXBuildFile; fileRef = Own; };
      B3 = { isa = PBXBuildFile; fileRef = Both; };
      Main = { isa = PBXGroup; children = (Shared, Folder); };
      Shared = { isa = PBXGroup; path = Shared; children = (Both, Own); };
      Both = { isa = PBXFileReference; path = Both.swift; };
      Own = { isa = PBXFileReference; path = Own.swift; };
      Folder = { isa = PBXFileSystemSynchronizedRootGroup; path = Folder; exceptions = (E1, E2); };
      E1 = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = App;
        membershipExceptions = (Not.swift); };
      E2 = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = Widget;
        membershipExceptions = (Both.swift); };
    }; rootObject = P; }
    """

  @Test func `Phases, synchronized folders and their exceptions give a file its targets`() throws {
    let project = try #require(XcodeProject(Data(shared.utf8)))
    func names(_ file: String) -> [String] { project.targets(of: file).map(\.name) }
    #expect(names("Shared/Both.swift") == ["App", "Widget"])
    #expect(names("Shared/Own.swift") == ["App"])
    #expect(names("Folder/Deep/A.swift") == ["App"])
    #expect(names("Folder/Both.swift") == ["App", "Widget"])
    #expect(names("Folder/Not.swift") == [] && names("Widget/A.swift") == [])
  }

  @Test func `A file of several targets gets only fixes that are right in all of them`() throws {
    let code = "@MainActor func f() {}\n"
    let read =
      "import SwiftUI\nclass Feed { func load() async throws { _ = try Data(contentsOf: url) } }\n"
    try TemporaryFolder.with { folder in
      try folder.write("Shop.xcodeproj/project.pbxproj", shared)
      for path in ["Shared/Both.swift", "Shared/Own.swift", "Folder/Both.swift"] {
        try folder.write(path, code + read)
      }
      let output = try causeway("check", "--fix", in: folder.path).output
      #expect(try folder.read("Shared/Own.swift") == "func f() {}\n" + read)
      #expect(try folder.read("Shared/Both.swift") == code + read)
      #expect(try folder.read("Folder/Both.swift") == code + read)
      // The file is read on the main actor of one of the targets. It is reported once.
      #expect(output.components(separatedBy: "Shared/Both.swift:").count == 2, "\(output)")
      #expect(output.contains("in 3 files"), "\(output)")
    }
  }
}
