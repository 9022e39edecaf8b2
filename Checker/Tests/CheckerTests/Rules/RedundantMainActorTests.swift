import Testing

@testable import causeway

struct RedundantMainActorTests {
  static let fixtures = [
    Fixture(
      RedundantMainActor.self, "members of a main-actor class",
      """
      @MainActor
      final class Feed {
        1️⃣@MainActor var items: [Int] = []

        /// Comment.
        2️⃣@MainActor
        func refresh() async {}

        3️⃣@MainActor static func make() -> Feed { Feed() }
        4️⃣@MainActor init() {}
      }
      """,
      fixed: """
        @MainActor
        final class Feed {
          var items: [Int] = []

          /// Comment.
          func refresh() async {}

          static func make() -> Feed { Feed() }
          init() {}
        }
        """),
    Fixture(
      RedundantMainActor.self, "a comment after the attribute stays",
      """
      @MainActor
      struct Row {
        1️⃣@MainActor // why
        func f() {}
      }
      """,
      fixed: """
        @MainActor
        struct Row {
          // why
          func f() {}
        }
        """),
    Fixture(
      RedundantMainActor.self, "isolation by superclass, protocol and extension",
      """
      @MainActor class Base {}
      1️⃣@MainActor final class Child: Base {
        2️⃣@MainActor func f() {}
      }
      @MainActor protocol Screen {
        3️⃣@MainActor func show()
      }
      struct Page: Screen {
        4️⃣@MainActor func show() {}
      }
      extension Page {
        5️⃣@MainActor func hide() {}
      }
      """,
      fixed: """
        @MainActor class Base {}
        final class Child: Base {
          func f() {}
        }
        @MainActor protocol Screen {
          func show()
        }
        struct Page: Screen {
          func show() {}
        }
        extension Page {
          func hide() {}
        }
        """),
    Fixture(
      RedundantMainActor.self, "members of a SwiftUI view",
      """
      import SwiftUI
      struct Row: View {
        var body: some View { Text("a") }
        1️⃣@MainActor private func tap() {}
      }
      """,
      fixed: """
        import SwiftUI
        struct Row: View {
          var body: some View { Text("a") }
          private func tap() {}
        }
        """, compiles: false),
    Fixture(
      RedundantMainActor.self, "everything under default isolation",
      """
      1️⃣@MainActor
      final class Feed {
        2️⃣@MainActor func refresh() {}
      }
      3️⃣@MainActor func show() {}
      """,
      fixed: """
        final class Feed {
          func refresh() {}
        }
        func show() {}
        """
    ) { $0.defaultIsolation = .mainActor },
    Fixture(
      RedundantMainActor.self, "a stored property of a struct",
      "@MainActor struct S { @MainActor var x = 1 }", compiles: true),
    Fixture(
      RedundantMainActor.self, "members of a class without isolation",
      """
      final class Feed {
        @MainActor var items: [Int] = []
        @MainActor func refresh() {}
      }
      """),
    Fixture(
      RedundantMainActor.self, "together with @preconcurrency",
      "@MainActor protocol Screen { @MainActor @preconcurrency func show() }"),
    Fixture(
      RedundantMainActor.self, "members of an actor",
      "actor Store { @MainActor func show() {} }"),
    Fixture(
      RedundantMainActor.self, "an extension that leaves the isolation",
      """
      @MainActor final class Feed {}
      nonisolated extension Feed { @MainActor func f() {} }
      """),
    Fixture(
      RedundantMainActor.self, "a conformance that is stated in an extension",
      """
      @MainActor protocol Screen { func show() }
      struct Page { @MainActor func other() {} }
      extension Page: Screen { func show() {} }
      """),
    Fixture(
      RedundantMainActor.self, "a type that a SwiftUI name does not isolate",
      """
      protocol View {}
      struct Row: View { @MainActor func tap() {} }
      """),
    Fixture(
      RedundantMainActor.self, "an error under default isolation",
      "@MainActor enum Failure: Error { case a }"
    ) { $0.defaultIsolation = .mainActor },
    Fixture(
      RedundantMainActor.self, "a nested type",
      "@MainActor final class Feed { @MainActor final class Row {} }"),
    Fixture(
      RedundantMainActor.self, "an extension of two types with the same name",
      """
      #if os(Linux)
      @MainActor final class Feed {}
      #else
      final class Feed {}
      #endif
      extension Feed { @MainActor func f() {} }
      """),
    Fixture(
      RedundantMainActor.self, "a requirement of a nonisolated protocol",
      """
      nonisolated protocol Loading { func load() async }
      @MainActor final class Feed: Loading {
        var count = 0
        @MainActor func load() async { count += 1 }
        1️⃣@MainActor func show() { count += 1 }
      }
      """,
      fixed: """
        nonisolated protocol Loading { func load() async }
        @MainActor final class Feed: Loading {
          var count = 0
          @MainActor func load() async { count += 1 }
          func show() { count += 1 }
        }
        """),
    Fixture(
      RedundantMainActor.self, "nonisolated requirements, also of refined protocols and extensions",
      """
      protocol Loading {
        nonisolated func load() async
        @concurrent func decode() async
        nonisolated var total: Int { get async }
      }
      protocol Storing: Loading { nonisolated init() async }
      @MainActor final class Feed: Storing {
        var count = 0
        @MainActor init() async { show() }
        @MainActor func load() async { count += 1 }
        @MainActor func decode() async { count += 1 }
        @MainActor var total: Int { get async { count } }
        func show() {}
      }
      @MainActor final class Page { var count = 0 }
      extension Page: Loading {
        @MainActor func load() async { count += 1 }
        @MainActor func decode() async { count += 1 }
        @MainActor var total: Int { get async { count } }
      }
      """, compiles: true),
    Fixture(
      RedundantMainActor.self, "a requirement of another global actor",
      """
      @globalActor actor Disk { static let shared = Disk() }
      @Disk protocol Loading { func load() async }
      @MainActor final class Feed: Loading {
        var count = 0
        @MainActor func load() async { count += 1 }
      }
      """, compiles: true),
    Fixture(
      RedundantMainActor.self, "an async requirement that runs on its caller's actor",
      """
      protocol Loading { func load() async }
      @MainActor final class Feed: Loading {
        var count = 0
        @MainActor func load() async { count += 1 }
      }
      """, compiles: true
    ) { $0.upcomingFeatures = ["NonisolatedNonsendingByDefault"] },
    Fixture(
      RedundantMainActor.self, "members that implement no nonisolated requirement",
      """
      nonisolated protocol Loading { func load() async }
      protocol Showing { func show() async }
      @MainActor class Base: Showing {
        var count = 0
        1️⃣@MainActor func show() async { count += 1 }
        2️⃣@MainActor func load() async { count += 1 }
      }
      final class Child: Base, Loading {
        3️⃣@MainActor override func show() async { count += 2 }
      }
      @MainActor final class Page { var count = 0 }
      extension Page: Loading { nonisolated func load() async {} }
      extension Page { 4️⃣@MainActor func load(_ step: Int) async { count += step } }
      """,
      fixed: """
        nonisolated protocol Loading { func load() async }
        protocol Showing { func show() async }
        @MainActor class Base: Showing {
          var count = 0
          func show() async { count += 1 }
          func load() async { count += 1 }
        }
        final class Child: Base, Loading {
          override func show() async { count += 2 }
        }
        @MainActor final class Page { var count = 0 }
        extension Page: Loading { nonisolated func load() async {} }
        extension Page { func load(_ step: Int) async { count += step } }
        """),
    Fixture(
      RedundantMainActor.self, "a protocol of another module, except for private members",
      """
      import Delegates
      @MainActor final class Feed: ObservableObject, LoaderDelegate {
        @MainActor func loaderDidFinish() {}
        1️⃣@MainActor private func show() {}
      }
      @MainActor final class Place: NSObject, CLLocationManagerDelegate {
        @MainActor func locationManagerDidFinish() async {}
        2️⃣@MainActor func locationManagerDidPause() {}
        3️⃣@MainActor var whenPaused: () async -> Void { {} }
        @MainActor var lastPlace: Int { get async { 1 } }
      }
      """,
      fixed: """
        import Delegates
        @MainActor final class Feed: ObservableObject, LoaderDelegate {
          @MainActor func loaderDidFinish() {}
          private func show() {}
        }
        @MainActor final class Place: NSObject, CLLocationManagerDelegate {
          @MainActor func locationManagerDidFinish() async {}
          func locationManagerDidPause() {}
          var whenPaused: () async -> Void { {} }
          @MainActor var lastPlace: Int { get async { 1 } }
        }
        """, compiles: false),
  ]

  @Test(arguments: fixtures)
  func `redundant-main-actor reports at the markers`(fixture: Fixture) { fixture.verify() }
}
