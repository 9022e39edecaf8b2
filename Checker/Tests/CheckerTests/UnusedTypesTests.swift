import Foundation
import Testing

@testable import causeway

@Suite struct UnusedTypesTests {
  /// Builds a library and an app that imports it, with an index and symbol graphs.
  private static func build(
    _ library: String, _ app: String, in folder: TemporaryFolder
  ) throws {
    try folder.write("Library/Library.swift", library)
    try folder.write("App/App.swift", app)
    let index = ["-index-store-path", "index", "-swift-version", "6"]
    let module = try run(
      "/usr/bin/env",
      [
        "swiftc", "-emit-module", "-emit-object", "-parse-as-library", "-module-name", "Library",
        "-o",
        "Library.o", "-emit-module-path", "Library.swiftmodule", "-emit-symbol-graph",
        "-emit-symbol-graph-dir", "graphs", "-symbol-graph-minimum-access-level", "public",
        folder.path("Library/Library.swift"),
      ] + index, in: folder.path)
    #expect(module.status == 0, "\(module.output)")
    let built = try run(
      "/usr/bin/env",
      [
        "swiftc", "-emit-object", "-parse-as-library", "-module-name", "App", "-o", "App.o", "-I",
        ".",
        folder.path("App/App.swift"),
      ] + index, in: folder.path)
    #expect(built.status == 0, "\(built.output)")
  }

  private static let library = """
    public struct Named { public init() {} }
    public struct Result { public var part: Part { Part() } }
    public struct Part {}
    public enum Maker { public static func make() -> Result { Result() } }
    public struct Unused { public init() {} }
    public struct Outer { public enum Inner { case one } }
    enum Hidden {}
    """

  @Test func `A type is used by its name, a member or a signature, and not by an equal name`()
    throws
  {
    let app = """
      import Library
      struct Unused {}
      func use() -> [Any] { [Named(), Unused(), Maker.make()] }
      """
    try TemporaryFolder.with { folder in
      try Self.build(Self.library, app, in: folder)
      // `Part` is not in a signature that the app calls.
      let result = try causeway(
        "unused", "graphs", "--index-store", "index", "--users", "App", in: folder.path)
      #expect(
        result.output
          == "Library: Outer\nLibrary: Outer.Inner\nLibrary: Part\nLibrary: Unused\n")
      #expect(result.status == 1)
    }
  }

  @Test func `Nothing is unused if the app uses each type`() throws {
    let app = """
      import Library
      func use() -> [Any] { [Named(), Maker.make().part, Unused(), Outer.Inner.one] }
      """
    try TemporaryFolder.with { folder in
      try Self.build(Self.library, app, in: folder)
      let result = try causeway(
        "unused", "graphs", "--index-store=index", "--users=App", in: folder.path)
      #expect(result.output == "" && result.status == 0)
    }
  }

  @Test func `An iterator, an interpolation and a builder count as used`() throws {
    let library = """
      public struct Numbers: Sequence {
        public struct Iterator: IteratorProtocol { public mutating func next() -> Int? { nil } }
        public init() {}
        public func makeIterator() -> Iterator { Iterator() }
      }
      public struct Text: ExpressibleByStringInterpolation {
        public struct StringInterpolation: StringInterpolationProtocol {
          public init(literalCapacity: Int, interpolationCount: Int) {}
          public mutating func appendLiteral(_ literal: String) {}
          public mutating func appendInterpolation(_ number: Int) {}
        }
        public init(stringLiteral: String) {}
        public init(stringInterpolation: StringInterpolation) {}
      }
      public struct Pair { public init(_ first: Int, _ second: Int) {} }
      @resultBuilder public enum PairBuilder {
        public static func buildBlock(_ first: Int, _ second: Int) -> Pair { Pair(first, second) }
      }
      public func pair(@PairBuilder _ body: () -> Pair) {}
      """
    let app = """
      import Library
      func use() {
        for number in Numbers() { print(number) }
        let text: Text = "\\(1)"
        print(text)
        pair {
          1
          2
        }
      }
      """
    try TemporaryFolder.with { folder in
      try Self.build(library, app, in: folder)
      let result = try causeway(
        "unused", "graphs", "--index-store", "index", "--users", "App", in: folder.path)
      #expect(result.output == "" && result.status == 0)
    }
  }

  @Test func `Requirements of a used protocol and cases of a used enum count as used`() throws {
    let library = """
      public struct Change {}
      public struct Damage {}
      public protocol Backing {
        func save(_ change: Change)
      }
      public struct Memory: Backing {
        public init() {}
        public func save(_ change: Change) {}
        public func repair(_ damage: Damage) {}
      }
      public struct Store { public init(_ backing: some Backing) {} }
      public struct Rule {}
      public enum Fault { case broken(Rule) }
      public struct Report { public var fault: Fault? }
      public struct Log { public init(_ receive: (Fault) -> Void) {} }
      public struct Other {}
      public protocol Unused { var other: Other { get } }
      public enum Kind { case one(Other) }
      """
    let app = """
      import Library
      func use() { _ = (Store(Memory()), Log { _ in }) }
      """
    try TemporaryFolder.with { folder in
      try Self.build(library, app, in: folder)
      // `repair` could be less public, so the type of its parameter does not count as used.
      let result = try causeway(
        "unused", "graphs", "--index-store", "index", "--users", "App", in: folder.path)
      #expect(
        result.output
          == "Library: Damage\nLibrary: Kind\nLibrary: Other\nLibrary: Report\nLibrary: Unused\n")
    }
  }

  @Test func `References of files that were removed do not count`() throws {
    try TemporaryFolder.with { folder in
      try Self.build(Self.library, "import Library\nfunc use() { _ = Named() }\n", in: folder)
      try FileManager.default.removeItem(atPath: folder.path("App/App.swift"))
      let result = try causeway(
        "unused", "graphs", "--index-store", "index", "--users", "App", in: folder.path)
      #expect(result.status == 2 && result.output.contains("has no file of App"))
    }
  }

  @Test(arguments: [
    (["unused"], "one folder with symbol graphs is needed"),
    (["unused", "a"], "--index-store is needed"),
    (["unused", "a", "--index-store", "b"], "--users is needed"),
    (["unused", "a", "--index-store"], "--index-store needs a value"),
    (["unused", "a", "--user", "b"], "did you mean '--users'"),
    (["unused", "a", "--index-store", "b", "--users", "c"], "this is not an index store"),
  ])
  func `Wrong arguments are explained`(words: [String], reason: String) throws {
    try TemporaryFolder.with { folder in
      let result = try run(Products.causeway, words, in: folder.path)
      #expect(result.status == 2 && result.output.contains(reason), "\(result.output)")
    }
  }
}
