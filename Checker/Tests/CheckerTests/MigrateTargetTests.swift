import Foundation
import Testing

@testable import causeway

struct MigrateTargetTests {
  /// The text of a project whose targets `App` and `Widget` share `App/Model.swift`.
  private let shared = """
    // !$*UTF8*$!
    { objects = {
      P = { isa = PBXProject; targets = (App, Widget); mainGroup = Main; };
      App = { isa = PBXNativeTarget; name = App; buildConfigurationList = L; buildPhases = (AppS); };
      Widget = { isa = PBXNativeTarget; name = Widget; buildConfigurationList = L;
        buildPhases = (WidgetS); };
      L = { isa = XCConfigurationList; buildConfigurations = (C); };
      C = { isa = XCBuildConfiguration; buildSettings = { SWIFT_VERSION = 6.0; }; name = Debug; };
      AppS = { isa = PBXSourcesBuildPhase; files = (B1, B2); };
      WidgetS = { isa = PBXSourcesBuildPhase; files = (B3, B4); };
      B1 = { isa = PBXBuildFile; fileRef = Model; };
      B2 = { isa = PBXBuildFile; fileRef = Screen; };
      B3 = { isa = PBXBuildFile; fileRef = Model; };
      B4 = { isa = PBXBuildFile; fileRef = Entry; };
      Main = { isa = PBXGroup; children = (Folder); };
      Folder = { isa = PBXGroup; path = App; children = (Model, Screen, Entry); };
      Model = { isa = PBXFileReference; path = Model.swift; };
      Screen = { isa = PBXFileReference; path = Screen.swift; };
      Entry = { isa = PBXFileReference; path = Entry.swift; };
    }; rootObject = P; }
    """

  private func write(to folder: TemporaryFolder) throws {
    try folder.write("App.xcodeproj/project.pbxproj", shared)
    try folder.write("App/Model.swift", "struct Model { var name = \"\" }\n")
    try folder.write(
      "App/Screen.swift", "@MainActor final class Screen { @MainActor func show(_ m: Model) {} }\n")
    try folder.write("App/Entry.swift", "nonisolated func entry() -> Model { Model() }\n")
  }

  @Test func `A target that shares a file with another one is migrated`() throws {
    try TemporaryFolder.with { folder in
      try write(to: folder)
      let outcome = try causeway(
        "migrate", "--default-isolation", "MainActor", "--target", "App", "App", in: folder.path)
      #expect(outcome.status == 0, "\(outcome.output)")
      #expect(outcome.output.contains("App/Model.swift:1:1: note: Widget also compiles this file"))
      #expect(
        try folder.read("App/Screen.swift") == "final class Screen { func show(_ m: Model) {} }\n")
      // The files of the other target are not changed.
      #expect(
        try folder.read("App/Entry.swift") == "nonisolated func entry() -> Model { Model() }\n")
    }
  }

  @Test func `Without a target, or with an unknown one, the message names the targets`() throws {
    try TemporaryFolder.with { folder in
      try write(to: folder)
      let arguments = ["migrate", "--default-isolation", "MainActor"]
      let without = try run(Products.causeway, arguments + ["App"], in: folder.path)
      #expect(without.status == 2)
      #expect(without.output.contains("several targets (App, Widget); choose one with --target"))
      let unknown = try run(
        Products.causeway, arguments + ["--target", "Wigdet", "App"], in: folder.path)
      #expect(unknown.status == 2)
      #expect(unknown.output.contains("did you mean 'Widget'"))
    }
  }

  @Test func `Without an index, tests and files without an import of the target do not count`()
    throws
  {
    try TemporaryFolder.with { folder in
      try folder.write(
        "Package.swift",
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(
          name: "P",
          targets: [
            .target(name: "App"), .target(name: "Tool"), .target(name: "Other"),
            .testTarget(name: "AppTests"),
          ])

        """)
      let use = "nonisolated func use() { _ = Item().text() + Row().text() + Page().text() }\n"
      func text(_ name: String) -> String { "struct \(name) { func text() -> String { \"\" } }\n" }
      for name in ["Item", "Row", "Page"] {
        try folder.write("Sources/App/\(name).swift", text(name))
      }
      try folder.write("Sources/Tool/Tool.swift", "import App\nfunc f() { _ = Item().text() }\n")
      try folder.write("Sources/Other/Other.swift", use)
      try folder.write("Tests/AppTests/T.swift", "import Testing\n@testable import App\n" + use)
      let outcome = try causeway(
        "migrate", "--default-isolation", "MainActor", "Sources/App", in: folder.path)
      #expect(outcome.status == 0, "\(outcome.output)")
      #expect(try folder.read("Sources/App/Item.swift") == "nonisolated " + text("Item"))
      #expect(try folder.read("Sources/App/Row.swift") == text("Row"))
      #expect(try folder.read("Sources/App/Page.swift") == text("Page"))
    }
  }
}
