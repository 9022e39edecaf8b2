import Testing

@testable import CausewayWeb

/// The decisions about connections, without sockets.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionTableTests {
  private let start = ContinuousClock.now

  private func table(_ change: (inout WebServerLimits) -> Void) -> ConnectionTable {
    var configuration = WebServerConfiguration()
    configuration.uncountedAddresses = []
    change(&configuration.limits)
    return ConnectionTable(configuration: configuration)
  }

  private func connection(_ number: Int) throws -> LibraryHandle {
    LibraryHandle(try #require(OpaquePointer(bitPattern: number)))
  }

  @Test func `a connection that is refused when it opens stays refused`() throws {
    var table = table { $0.connectionsPerAddress = 2 }
    let connections = try (1...4).map(connection)
    for connection in connections[..<3] {
      table.add(connection, socket: -1, address: "203.0.113.7", now: start)
    }
    #expect(table.refusal(of: connections[1]) == nil)
    #expect(table.refusal(of: connections[2])?.status == .tooManyRequests)
    // The accepted connections keep working while there is one connection too many.
    #expect(table.refusal(of: connections[0]) == nil)
    table.remove(connections[0])
    // The refusal stays, because all requests of a connection must get the same answer.
    #expect(table.refusal(of: connections[2])?.status == .tooManyRequests)
    table.remove(connections[1])
    table.add(connections[3], socket: -1, address: "203.0.113.7", now: start)
    #expect(table.refusal(of: connections[3]) == nil)
    #expect(table.count == 2)
  }

  @Test func `connections of one IPv6 network are counted together`() throws {
    var table = table { $0.connectionsPerAddress = 2 }
    for (number, address) in ["2001:db8::1", "2001:db8::2", "2001:db8::3"].enumerated() {
      table.add(try connection(number + 1), socket: -1, address: address, now: start)
    }
    #expect(table.refusal(of: try connection(2)) == nil)
    #expect(table.refusal(of: try connection(3))?.status == .tooManyRequests)
    table.add(try connection(4), socket: -1, address: "2001:db8:0:1::1", now: start)
    #expect(table.refusal(of: try connection(4)) == nil)
  }

  @Test func `a new connection does not replace one that waits for less than a second`() throws {
    var table = table { $0.connections = 1 }
    table.add(try connection(1), socket: -1, address: "203.0.113.7", now: start)
    table.add(try connection(2), socket: -1, address: "203.0.113.8", now: start)
    #expect(table.refusal(of: try connection(2))?.status == .serviceUnavailable)
    table.remove(try connection(2))
    table.add(
      try connection(3), socket: -1, address: "203.0.113.8", now: start + .seconds(1))
    #expect(table.refusal(of: try connection(3)) == nil)
  }

  @Test(arguments: [
    (8_192, 4_000, false), (4_256, 4_000, false), (4_096, 3_840, true), (256, 128, true),
  ])
  func `the limit of open files leaves room for the other files of the program`(
    limit: Int, connections: Int, isReported: Bool
  ) {
    let room = OpenFileRoom { _ in limit }.reserve(4_000)
    #expect(room.connections == connections)
    #expect((room.problem != nil) == isReported)
    #expect(OpenFileRoom { _ in nil }.reserve(4_000).connections == 4_000)
  }

  @Test func `the servers of a process share its limit of open files`() {
    let room = OpenFileRoom { min($0, 6_256) }
    let first = room.reserve(4_000)
    #expect(first.connections == 4_000 && first.problem == nil)
    let second = room.reserve(4_000)
    #expect(second.connections == 3_000)
    #expect(
      second.problem
        == TooFewOpenFiles(
          connections: 3_000, wanted: 4_000, others: 4_000, limit: 6_256, needed: 8_256))
    #expect(second.problem?.description(lowering: "--sessions").contains("--sessions") == true)
    room.release(first.connections)
    let third = room.reserve(3_000)
    #expect(third.connections == 3_000 && third.problem == nil)
  }
}
