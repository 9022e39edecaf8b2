import Testing

@testable import CausewayWeb

extension `The files of pages that keep their state` {
  @Test func `are described by an option, as in the article about pages without a connection`() {
    var configuration = WebServerConfiguration()
    // snippet
    configuration.offline = OfflinePages(
      name: "Board", icons: ["/board.svg"], themeColor: "#0f3a4c", backgroundColor: "#ffffff",
      pages: ["/", "/boards/:id"], hiding: ["code"])
    // end
    #expect(configuration.offline?.pages == ["/", "/boards/:id"])
  }
}
