import BrowserDriver
import CausewayWeb
import Foundation
import Testing

extension PageTests {
  /// The modules of the page's script, each imported alone into one page without a session.
  @Suite struct `A module of the script` {
    struct Case: Sendable, CustomTestStringConvertible {
      var testDescription: String
      /// An expression in which the modules are variables.
      var script: String
      var expected: JSON

      init(_ name: String, _ script: String, _ expected: JSON) {
        (testDescription, self.script, self.expected) = (name, script, expected)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `keeps its promises`(in kind: BrowserKind) async throws {
      try await Self.withModules(in: kind) { tab in
        for one in Self.cases {
          let value = try await tab.evaluate("(async () => (\(one.script)))()")
          #expect(value == one.expected, "\(one.testDescription)")
        }
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `reads paths as the server does`(in kind: BrowserKind) async throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../BindingPaths/cases.json")
      let cases = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      let script = """
        (() => {
          const { state, row, values, refused } = \(cases);
          const attempt = (path) => {
            try { return paths.parsed(path)(state, row) ?? null; } catch { return "refused"; }
          };
          const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
          return [
            ...values.filter(({ path, value }) => !isSame(attempt(path), value)).map((c) => c.path),
            ...refused.filter((path) => attempt(path) !== "refused"),
          ];
        })()
        """
      try await Self.withModules(in: kind) { tab in
        let wrong = try await tab.evaluate(script)
        #expect(wrong == [])
      }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Host/CausewayWeb/PageScript")

    @Test func `imports only modules below it`() throws {
      var imports: [String: Set<String>] = [:]
      for file in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      where file.hasSuffix(".js") {
        let script = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
        imports[file] = Set(script.matches(of: /from "\.\/(.+?)"/).map { String($0.1) })
      }
      // Without circles, layer after layer can be removed.
      while let layer = Optional(imports.filter(\.value.isEmpty)), !layer.isEmpty {
        imports = imports.filter { layer[$0.key] == nil }
          .mapValues { $0.subtracting(layer.keys) }
      }
      #expect(imports == [:], "These modules are in a circle.")
    }

    /// Imports all modules into a page of a server that has only their files.
    private static func withModules(
      in kind: BrowserKind, _ body: (Tab) async throws -> Void
    ) async throws {
      let server = WebServer(configuration: WebServerConfiguration(port: 0))
      server.get("/") { _ in .html(page) }
      server.get("/modules/:name") { request in
        let file = folder.appending(path: request.parameters["name"] ?? "")
        return Response(.ok, type: "text/javascript", bytes: try Data(contentsOf: file))
      }
      let url = try await server.start().url
      try await withBrowser(kind) { browser in
        let tab = try await browser.newTab()
        try await tab.open(url)
        try await tab.evaluate(
          """
          (async () => {
            for (const name of [
              "bindings", "controls", "events", "kept", "page", "patch", "paths", "places", "rows",
            ]) {
              globalThis[name] = await import(`/modules/${name}.js`);
            }
          })()
          """)
        try await body(tab)
        #expect(await tab.problems.filter { $0.source != "network" } == [])
      }
      await server.stop(deadline: .zero)
    }

    private static let page = """
      <!doctype html><html lang="en"><head><title>Modules</title><link rel="icon" href="data:,">
      </head><body><input id="control">
      <ul id="list" data-each="rows" data-key="id"><template><li data-text="item.id"></li></template>
      </ul>
      <script type="application/json" id="state">{"a":{"b":1},"t":"x","rows":[]}</script>
      </body></html>
      """

    private static let cases = paths + patches + streams + elements + storage + routes

    private static let paths = [
      Case("a path", "page.reader('a.b')()", 1),
      Case("a missing optional value", "page.reader('a.c?')()", .null),
      Case("a negation", "page.reader('!a.b')()", false),
      Case("the negation of nothing", "page.reader('!a.c?')()", true),
      Case("another path", "page.reader('a.c|t')()", "x"),
      Case("a row", "page.reader('item.n')({ n: 5 })", 5),
      Case("no prototype", "page.reader('constructor?')()", .null),
      Case("no prototype of a value", "page.reader('a.__proto__?')()", .null),
    ]

    private static let rows =
      "{ gone: ['2'], placed: [[0, '3'], [1, { id: 9 }]], changed: { 1: { x: 4 } } }"

    private static let patches = [
      Case(
        "a merge patch", "patch.patched({ a: 1, b: { c: 2 } }, { b: { c: null, d: 3 } })",
        ["a": 1, "b": ["d": 3]]),
      Case("a patch of no object", "patch.patched({ a: 1 }, [2])", [2]),
      Case(
        "a patch of rows",
        "patch.patched([{ id: 1 }, { id: 2 }, { id: 3 }], { $rows: \(rows) })",
        [["id": 3], ["id": 9], ["id": 1, "x": 4]]),
      Case(
        "the same patch of rows again",
        """
        patch.patched(patch.patched([{ id: 1 }, { id: 2 }, { id: 3 }], { $rows: \(rows) }),
          { $rows: \(rows) })
        """,
        [["id": 3], ["id": 9], ["id": 1, "x": 4]]),
      Case(
        "a patch that moves an unknown row",
        """
        (() => {
          try { return patch.patched([], { $rows: { placed: [[0, '7']] } }); } catch (error) {
            return error.message;
          }
        })()
        """, "a list has no row \"7\" to move"),
    ]

    private static let streams = [
      Case(
        "a stream in pieces of each size",
        """
        (() => {
          const stream = "event: a\\nid: 1\\n\\n:\\n\\ndata: \\n\\nrest";
          const blocks = (size) => {
            const read = events.blockReader();
            const pieces = stream.match(new RegExp(`[^]{1,${size}}`, "g"));
            return JSON.stringify(pieces.flatMap((piece) => read(piece)));
          };
          return [...new Set([...stream].map((_, index) => blocks(index + 1)))];
        })()
        """, [#"["event: a\nid: 1",":","data: "]"#]),
      Case("the next position", "events.position('3 name.7', '4')", "4 name.7"),
      Case("the next shared position", "events.position('3 name.7', 'name.8')", "name.8 3"),
      Case("the first position", "events.position('0', '1 a.1')", "1 a.1"),
    ]

    private static let elements = [
      Case(
        "a control keeps later text when the server echoes earlier text",
        """
        (() => {
          const control = document.querySelector("#control");
          const type = (value) => {
            control.value = value;
            control.dispatchEvent(new Event("input", { bubbles: true }));
          };
          controls.setValue(control, "old");
          control.focus();
          type("te");
          type("tea");
          controls.setValue(control, "te");
          const echoed = control.value;
          controls.setValue(control, "milk");
          return [echoed, control.value, controls.isUnsaved(control)];
        })()
        """, ["tea", "milk", false]),
      Case(
        "a list keeps the elements of its rows",
        """
        (() => {
          const place = document.querySelector("#list");
          rows.numberTemplates(document);
          const show = rows.list(place, bindings.bindAll);
          const shown = (...ids) => {
            show(ids.map((id) => ({ id })));
            rows.settleRows(document.activeElement);
            return [...place.querySelectorAll("li")];
          };
          const first = shown(1, 2, 3);
          const second = shown(3, 4, 1);
          return [second.map((row) => row.textContent).join(), second[0] === first[2],
            second[2] === first[0], first[1].isConnected];
        })()
        """, ["3,4,1", true, true, false]),
    ]

    private static let storage = [
      Case(
        "waiting actions have a limit, and end with their time",
        """
        (async () => {
          const names = async () => {
            const opening = indexedDB.open("causeway", 1);
            const opened = await new Promise((done) => {
              opening.onsuccess = () => done(opening.result);
            });
            const reading = opened.transaction("queues").objectStore("queues").getAllKeys();
            await new Promise((done) => { reading.onsuccess = done; });
            opened.close();
            return reading.result.join();
          };
          const own = { owner: "a.b", path: "/" };
          const left = [];
          for (const [key, size] of [["one", 600_000], ["two", 300_000], ["three", 300_000]]) {
            await kept.storeQueue(key, { ...own, items: ["x".repeat(size)] });
          }
          left.push(await names());
          await kept.storeQueue("four", { ...own, items: ["x".repeat(1_000_001)] });
          left.push(await names());
          await kept.adoptQueues("five", { ...own, items: [] }, Date.now() + 1, () => false);
          left.push(await names());
          return left;
        })()
        """, ["three,two", "three,two", ""]),
      Case(
        "a kept state is found by its version until its time, and not after the person has left",
        """
        (async () => {
          const { mark } = await kept.claim("ana.board", "1");
          await kept.keep(mark, "/", "ana.board", "text", 1000);
          const found = async (build, since) => (await kept.find("/", build, since))?.text ?? "-";
          const texts = [await found("1", 0), await found("2", 0), await found("1", 1001)];
          await kept.claim("ben.board", "1");
          texts.push(await found("1", 0), await kept.keep(mark, "/", "ana.board", "late", 2000));
          return texts;
        })()
        """, ["text", "-", "-", "-", false]),
    ]

    /// The routes match as on the server.
    private static let routes = [
      ("/", "/", true), ("/", "/a", false), ("/**", "/", false), ("/**", "/a/b", true),
      ("/wiki/**", "/wiki", false), ("/wiki/**", "/wiki/", true), ("/wiki/**", "/wiki/a/b", true),
      ("/:id", "/", false), ("/:id", "/a", true), ("/a", "/a/b", false), ("/a", "/a/", false),
      ("/a/:b", "/a/c%20d", true), ("/a/:b", "/a/%", false), ("/a b", "/a%20b", true),
    ].map { pattern, path, isMatch in
      Case(
        "\(path) for \(pattern)",
        "places.routed([[\(pattern.script), 1]], \(path.script)) === 1", .bool(isMatch))
    }
  }
}
