#if os(Linux)
  import CEpoll
  import Foundation

  /// Many tabs of one server; one thread reads all of them.
  final class Crowd {
    private(set) var tabs: [Tab] = []
    private let port: UInt16
    private let polling = epoll_create1(0)
    private let pages: Socket
    /// Makes an account for each tab; nil for tabs without accounts of their own.
    let club: Club?
    private var cookie: String?
    /// The number of tabs whose streams are open.
    private var connected = 0

    init(port: UInt16, club: Club? = nil) throws {
      (self.port, self.club) = (port, club)
      pages = try Socket(port: port)
    }

    deinit { close(polling) }

    /// Opens tabs and waits until all are connected.
    ///
    /// The first new tab is in a new browser, so its person is not the person of the older tabs.
    func grow(to count: Int, perBrowser: Int = 40) throws {
      cookie = nil
      try load(count - tabs.count, perBrowser: perBrowser)
      try connect()
    }

    /// Loads pages without opening their streams, first as the browser of the last page.
    func load(_ count: Int, perBrowser: Int = 40) throws {
      for _ in 0..<max(0, count) {
        if tabs.count.isMultiple(of: perBrowser) { cookie = nil }
        let tab =
          try club?.join(as: Self.name(tabs.count), port: port, pages: pages)
          ?? Tab(port: port, cookie: cookie, pages: pages)
        cookie = tab.cookie
        tabs.append(tab)
        // A new member changes the open pages, so their streams must be read.
        if club != nil { try connect() }
      }
    }

    /// The name of the person at a tab, if each tab has its own.
    static func name(_ tab: Int) -> String { "Runner \(tab)." }

    /// The view state of a page that the first tab loads again.
    func reload() throws -> String {
      try pages.exchange(
        "GET / HTTP/1.1\r\n\(tabs[0].fields)Accept: application/json\r\n\r\n"
      ).body
    }

    /// Opens the streams of the loaded pages, and waits until all are connected.
    func connect() throws {
      for index in connected..<tabs.count {
        causeway_epoll_add(polling, tabs[index].stream.descriptor, UInt32(index))
        try tabs[index].open()
      }
      var missing = tabs.count - connected
      connected = tabs.count
      while missing > 0 {
        try poll { tab in
          let wasConnected = tab.isConnected
          _ = try tab.read()
          if !wasConnected { missing -= 1 }
        }
      }
    }

    /// Reads until no tab has received bytes for a while.
    func settle() throws {
      while try poll(timeout: 200, { _ = try $0.read() }) > 0 {}
    }

    /// Calls a closure for each tab with bytes to read.
    ///
    /// - Parameter timeout: The time to wait, in milliseconds.
    @discardableResult
    func poll(timeout: Int32 = 10_000, _ body: (Tab) throws -> Void) throws -> Int {
      try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { numbers in
        let count = Int(causeway_epoll_wait(polling, numbers.baseAddress, timeout))
        if count == 0 && timeout >= 10_000 { throw POSIXError(.ETIMEDOUT) }
        for number in numbers[..<max(0, count)] { try body(tabs[Int(number)]) }
        return count
      }
    }

    /// Performs an action in the first tab, and measures when the tabs have received its effect.
    ///
    /// - Returns: The time of each tab after the action was sent, in ascending order.
    func spread(_ action: String, marker: String) throws -> [Duration] {
      for tab in tabs { tab.marker = Array(marker.utf8) }
      let request = tabs[0].request(action)
      var times: [Duration] = []
      times.reserveCapacity(tabs.count)
      let start = ContinuousClock.now
      try pages.send(request)
      while times.count < tabs.count {
        try poll { if try $0.read() { times.append(ContinuousClock.now - start) } }
      }
      let answer = try pages.exchange("")
      guard answer.status == 200 else { throw Unexpected(answer: answer.head + answer.body) }
      return times
    }

    /// Performs an action in a tab and waits for the answer.
    ///
    /// An action beyond the rate limit of its session is sent again.
    func act(_ action: String, in tab: Int = 0) throws {
      let request = tabs[tab].request(action)
      var answer = try pages.exchange(request)
      while answer.status == 429 {
        usleep(20_000)
        answer = try pages.exchange(request)
      }
      guard answer.status == 200 else { throw Unexpected(answer: answer.head + answer.body) }
    }
  }
#endif
