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
    <!-- causeway --></head><body><p role="alert" data-problem hidden></p>
    <p id="file" data-text="file"></p>
    <ul data-each="rows" data-key="id"><template><li>
      <input type="file" data-on="change" data-upload="/albums/{item.id}/files"
        data-action='{"attach":{"album":"$item.id","file":"$upload.id"}}'>
    </li></template></ul></body></html>
    """
}

/// A server of albums, which counts the files that arrive.
private struct AlbumServer {
  let server: WebServer
  let problems = Log<String>()
  let files = Log<String>()

  init(port: UInt16 = 0) throws {
    var configuration = WebServerConfiguration(port: port)
    // With the same key, a browser is the same after a restart.
    configuration.cookieKey = Array(0..<32)
    // Many servers run in this process, which has a limit of open files.
    configuration.limits.connections = 64
    configuration.reportError = { [problems] in problems.append("\($0)") }
    server = WebServer(configuration: configuration)
    server.page("/", try PageTemplate(Albums.page)) { _ in ViewModel(Albums()) }
    server.post("/albums/:album/files", access: .sessions) { [files] request in
      let album = request.parameters["album"] ?? ""
      files.append(album)
      return try .json(["id": "\(request.body.count) bytes of \(album)"])
    }
  }
}

extension Tab {
  /// Chooses a file in the control of a row.
  fileprivate func chooseFile(inRow index: Int) async throws {
    try await evaluate(
      """
      (() => {
        const files = new DataTransfer();
        files.items.add(new File(["boat"], "boat.txt"));
        const control = document.querySelectorAll("input")[\(index)];
        control.files = files.files;
        control.dispatchEvent(new Event("change", { bubbles: true }));
      })()
      """)
  }

  fileprivate func waitForFile(_ text: String) async throws {
    try await wait(until: "document.querySelector('#file').textContent === \(text.script)")
  }
}

extension PageTests {
  @Suite struct `A file of a row` {
    @Test(arguments: [(0, "plain"), (1, "a/b ä?c=%")], BrowserKind.allCases)
    func `is sent to the address of the row`(
      row: (index: Int, album: String), in kind: BrowserKind
    ) async throws {
      let albums = try AlbumServer()
      let url = try await albums.server.start().url
      try await withBrowser(kind) { browser in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.chooseFile(inRow: row.index)
        try await tab.waitForFile("4 bytes of \(row.album) in \(row.album)")
        #expect(await tab.problems.isEmpty)
      }
      #expect(albums.problems.all.isEmpty)
      await albums.server.stop()
    }

    @Test(arguments: BrowserKind.allCases)
    func `is sent again after a restart that ended the page's session`(in kind: BrowserKind)
      async throws
    {
      let port = try ReservedPort()
      let first = try AlbumServer(port: port.number)
      let url = try await first.server.start().url
      let second = try AlbumServer(port: port.number)
      try await withBrowser(kind) { browser in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        await first.server.stop()
        try await tab.wait(until: "document.documentElement.dataset.connection !== 'online'")
        // The page has not connected again when the browser starts to send the file.
        try await second.server.start()
        try await tab.chooseFile(inRow: 0)
        try await tab.waitForFile("4 bytes of plain in plain")
      }
      #expect(second.files.all == ["plain"])
      #expect(first.problems.all == [] && second.problems.all == [])
      await second.server.stop()
    }

    @Test(arguments: BrowserKind.allCases)
    func `that no server takes is reported to the person`(in kind: BrowserKind) async throws {
      let port = try ReservedPort()
      let albums = try AlbumServer(port: port.number)
      let url = try await albums.server.start().url
      try await withBrowser(kind) { browser in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        await albums.server.stop(deadline: .zero)
        try await tab.chooseFile(inRow: 0)
        try await tab.waitToRead("The connection was lost before the file had arrived.")
      }
      #expect(albums.files.all.isEmpty)
    }
  }
}
