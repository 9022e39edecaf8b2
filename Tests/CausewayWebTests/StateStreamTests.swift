import Foundation
import TestSupport
import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct StateStreamTests {
  @Test func `a stream sends the full state once and then patches`() async throws {
    let gate = Gate()
    let server = try WebServer.board(gate: gate)
    let tab = try await Tab(Client(try await server.start()))
    let stream = try tab.stream()
    var events = stream.events.makeAsyncIterator()
    let full = try #require(await events.next())
    #expect(full.name == "state")
    #expect(full.json == tab.state)
    _ = try await tab.act(1, #"{"add":{"_0":2}}"#)
    let patch = try #require(await events.next())
    #expect(patch.name == "patch")
    #expect(patch.json == ["count": 2])
    _ = try await tab.act(2, #"{"note":{"_0":"n"}}"#)
    #expect(await events.next()?.json == ["note": "n"])
    _ = try await tab.act(3, #"{"note":{}}"#)
    #expect(await events.next()?.json == ["note": .null])
    // Later sends of an effect arrive too.
    _ = try await tab.act(4, #"{"later":{"text":"effect"}}"#)
    gate.open()
    let late = try #require(await events.next())
    #expect(late.json == ["late": "effect"])
    #expect(Int(late.id) ?? 0 > Int(full.id) ?? 0)
    await server.stop()
  }

  @Test func `a stream resumes after the last event, or with the full state when that is too old`()
    async throws
  {
    let server = try WebServer.board()
    let tab = try await Tab(Client(try await server.start()))
    // The page already has version 1, so only later changes are sent.
    var events = try tab.stream(lastEventID: "1").events.makeAsyncIterator()
    _ = try await tab.act(1, #"{"add":{"_0":1}}"#)
    let patch = try #require(await events.next())
    #expect(patch.name == "patch")
    _ = try await tab.act(2, #"{"add":{"_0":1}}"#)
    let newest = try #require(await events.next())
    // A new stream of the same tab replaces the old one.
    var again = try tab.stream(lastEventID: newest.id).events.makeAsyncIterator()
    while await events.next() != nil {}
    _ = try await tab.act(3, #"{"say":{"text":"t"}}"#)
    #expect(await again.next()?.json == ["texts": ["t"]])
    var behind = try tab.stream(lastEventID: patch.id).events.makeAsyncIterator()
    let full = try #require(await behind.next())
    #expect(full.name == "state")
    #expect(full.json?.value(at: "count") == 2)
    var odd = try tab.stream(lastEventID: "nonsense").events.makeAsyncIterator()
    #expect(await odd.next()?.name == "state")
    await server.stop()
  }

  @Test func `a stream that is opened while its session ends is closed`() async throws {
    let server = try WebServer.board()
    let tab = try await Tab(Client(try await server.start()))
    let session = try #require(server.site.sessions.session(tab.token))
    server.site.sessions.end(session)
    let stream = session.attach(after: EventPosition(field: nil))
    guard case .end = stream.step() else { return #expect(Bool(false), "The stream stays open.") }
    // A stream that is replaced before it is opened ends too.
    let other = try await Tab(tab.client)
    let alive = try #require(server.site.sessions.session(other.token))
    let first = alive.attach(after: EventPosition(field: nil))
    _ = alive.attach(after: EventPosition(field: nil))
    guard case .end = first.step() else { return #expect(Bool(false), "The stream stays open.") }
    await server.stop()
  }

  @Test func `changes made while no stream is open are in the next stream`() async throws {
    let server = try WebServer.board()
    let tab = try await Tab(Client(try await server.start()))
    for number in 1...10 as ClosedRange<UInt64> {
      _ = try await tab.act(number, #"{"add":{"_0":1}}"#)
    }
    let stream = try tab.stream(lastEventID: "1")
    let state = await stream.state(from: tab.state) { $0.value(at: "count") == 10 }
    #expect(state?.value(at: "count") == 10)
    await server.stop()
  }

  @Test func `a slow reader gets the newest state, and its buffer does not grow`() async throws {
    let server = try WebServer.board()
    let address = try await server.start()
    let tab = try await Tab(Client(address))
    let slow = try RawConnection(address, receiveBuffer: 4096)
    await slow.send(
      "GET /_causeway/stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + "Causeway-Session: \(tab.token)\r\nCookie: \(tab.cookie)\r\n\r\n")
    _ = await slow.read { $0.contains(": connected") }
    // The states have far more bytes than the sockets of both sides can buffer.
    let (actions, size) = (60, 200_000)
    for number in 1...UInt64(actions) {
      let body = #"{"pad":{"bytes":\#(size + Int(number))}}"#
      #expect(try await tab.act(number, body).status == 200)
    }
    let received = await slow.read { $0.contains("\"count\":\(actions)") }
    #expect(received.contains("\"count\":\(actions)"))
    #expect(received.utf8.count < actions * size / 2, "\(received.utf8.count)")
    slow.close()
    await server.stop()
  }

  @Test func `a client that opens streams and reads none of them holds two connections`()
    async throws
  {
    // A heartbeat would look like the end of the state.
    let server = try WebServer.board { $0.heartbeat = .seconds(3600) }
    let address = try await server.start()
    let tab = try await Tab(Client(address))
    // The state has far more bytes than the sockets of both sides can buffer.
    #expect(try await tab.act(1, #"{"pad":{"bytes":6000000}}"#).status == 200)
    var connections: [RawConnection] = []
    for _ in 1...6 {
      let connection = try RawConnection(address, receiveBuffer: 4096)
      connections.append(connection)
      await connection.send(
        "GET /_causeway/stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Causeway-Session: \(tab.token)\r\nCookie: \(tab.cookie)\r\n\r\n")
      _ = await connection.read { $0.contains(": connected") }
      #expect(server.site.streams.count(of: tab.token) <= StreamTable.perSession)
    }
    // The older connections end before the whole state has arrived, and the newest one goes on. All
    // are read at the same time, because the server closes a connection that nobody reads.
    let newest = connections[5]
    async let whole = {
      var size = 0
      while size <= 5_500_000 {
        // The end of an event, and of the chunk that contains it. On a busy machine, the event of
        // the state before the action comes first.
        let part = await newest.read { $0.utf8.suffix(4).elementsEqual("\n\n\r\n".utf8) }
        if part.isEmpty { break }
        size += part.utf8.count
      }
      return size
    }()
    let older = connections.dropLast(StreamTable.perSession)
    let sizes = await withTaskGroup(of: Int.self) { group in
      for connection in older { group.addTask { await connection.read().utf8.count } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sizes.count == 4 && sizes.allSatisfy { $0 < 5_500_000 }, "\(sizes)")
    #expect(await whole > 5_500_000)
    for connection in connections { connection.close() }
    await server.stop()
    #expect(server.site.streams.count(of: tab.token) == 0)
  }

  @Test func `silent streams send comments`() async throws {
    let server = try WebServer.board { $0.heartbeat = .milliseconds(20) }
    let tab = try await Tab(Client(try await server.start()))
    let stream = try tab.stream(lastEventID: "1")
    var comments = 0
    for await case .event(let event) in stream.items {
      #expect(event.isComment)
      comments += 1
      if comments == 4 { break }
    }
    #expect(comments == 4)
    await server.stop()
  }
}
