#if os(Linux)
  import CEpoll
  import Foundation

  /// The floor: a server that sends one payload to all streams, with one system call for each.
  ///
  /// A payload that begins with `own` is sent to the stream of its session only.
  enum BareServer {
    /// The open streams, and the streams by the numbers of their sessions.
    private struct Streams {
      var all: [Int32] = []
      var own: [Int: Int32] = [:]
      var sessions = 0
    }

    static func run() -> Never {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = bind(listener, $0, length)
          _ = listen(listener, 511)
          _ = getsockname(listener, $0, &length)
        }
      }
      FileHandle.standardOutput.write(
        Data("http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))/\n".utf8))
      let polling = epoll_create1(0)
      causeway_epoll_add(polling, listener, UInt32(listener))
      var streams = Streams()
      var numbers = [UInt32](repeating: 0, count: 256)
      while true {
        let count = causeway_epoll_wait(polling, &numbers, -1)
        for number in numbers.prefix(Int(max(0, count))) {
          if number == listener {
            let connection = accept(listener, nil, nil)
            causeway_epoll_add(polling, connection, UInt32(connection))
          } else {
            serve(Int32(number), &streams)
          }
        }
      }
    }

    private static func serve(_ connection: Int32, _ streams: inout Streams) {
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else {
        streams.all.removeAll { $0 == connection }
        close(connection)
        return
      }
      let request = String(decoding: buffer[..<count], as: UTF8.self)
      if request.hasPrefix("GET /_causeway/stream") {
        streams.all.append(connection)
        streams.own[session(of: request)] = connection
        write(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n:\n\n\r\n", to: connection)
      } else if request.hasPrefix("GET") {
        streams.sessions += 1
        let session = String(streams.sessions, radix: 16)
        answer(#"{"session":"\#(session)","version":1,"state":{}}"#, to: connection)
      } else {
        let body = request.split(separator: "\r\n\r\n").last ?? ""
        let payload = "event: patch\nid: 2\ndata: \(body)\(String(repeating: " ", count: 100))\n\n"
        let bytes = Array("\(String(payload.utf8.count, radix: 16))\r\n\(payload)\r\n".utf8)
        let own = body.hasPrefix("own") ? streams.own[session(of: request)] : nil
        for stream in own.map({ [$0] }) ?? streams.all {
          send(stream, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
        answer("{}", to: connection)
      }
    }

    /// The number in the header field of the session.
    private static func session(of request: String) -> Int {
      let field = "Causeway-Session: "
      let line = request.split(separator: "\r\n").first { $0.hasPrefix(field) }
      return line.flatMap { Int($0.dropFirst(field.count), radix: 16) } ?? 0
    }

    private static func answer(_ body: String, to connection: Int32) {
      write(
        "HTTP/1.1 200 OK\r\nSet-Cookie: a=b;\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)",
        to: connection)
    }

    private static func write(_ text: String, to connection: Int32) {
      let bytes = Array(text.utf8)
      send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }
#endif
