import BrowserDriver
import Causeway
import CausewayWeb
import TestSupport
import Testing

/// A page with a file control in each row.
private struct Albums: Interactor {
  struct Row: Encodable, Equatable, Identifiable, Sendable {
    var id: String
  }

  struct State: Encodable, Equatable, Sendable {
    var rows = [Row(id: "plain"), Row(id: "a/b ä?c=%")]
    var file = ""
  }

  enum Action: Codable, Sendable {
    case attach(album: String, file: String)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .attach(let album, let file): state.file = "\(file) in \(album)"
      }
      return .state
    }
  }

  nonisolated static let page = """
    <!doctype html><html lang="en"><head><title>Albums</title><link rel="icon" href="data:,">
    <!-- causeway --></head><body><p id="file" data-text="file"></p>
    <ul data-each="rows" data-key="id"><template><li>
      <input type="file" data-on="change" data-upload="/albums/{item.id}/files"
        data-action='{"attach":{"album":"$item.id","file":"$upload.id"}}'>
    </li></template></ul></body></html>
    """
}

extension PageTests {
  @Suite struct `A file of a row` {
    @Test(arguments: [(0, "plain"), (1, "a/b ä?c=%")], BrowserKind.allCases)
    func `is sent to the address of the row`(
      row: (index: Int, album: String), in kind: BrowserKind
    ) async throws {
      let (index, album) = row
      let problems = Log<String>()
      var configuration = WebServerConfiguration(port: 0)
      configuration.reportError = { problems.append("\($0)") }
      let server = WebServer(configuration: configuration)
      server.page("/", try PageTemplate(Albums.page)) { _ in ViewModel(Albums()) }
      server.post("/albums/:album/files", access: .sessions) { request in
        try .json(["id": "\(request.body.count) bytes of \(request.parameters["album"] ?? "")"])
      }
      let url = try await server.start().url
      try await withBrowser(kind) { browser in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.evaluate(
          """
          (() => {
            const files = new DataTransfer();
            files.items.add(new File(["boat"], "boat.txt"));
            const control = document.querySelectorAll("input")[\(index)];
            control.files = files.files;
            control.dispatchEvent(new Event("change", { bubbles: true }));
          })()
          """)
        let text = "4 bytes of \(album) in \(album)"
        try await tab.wait(until: "document.querySelector('#file').textContent === \(text.script)")
        #expect(await tab.problems.isEmpty)
      }
      #expect(problems.all.isEmpty)
      await server.stop()
    }
  }
}
