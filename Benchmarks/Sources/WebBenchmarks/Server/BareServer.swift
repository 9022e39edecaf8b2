#if os(Linux)
  import CEpoll
  import Foundation

  /// The floor: a server that sends one payload to all streams, with one system call for each.
  enum BareServer {
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
      var streams: [Int32] = []
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

    private static func serve(_ connection: Int32, _ streams: inout [Int32]) {
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else {
        streams.removeAll { $0 == connection }
        close(connection)
        return
      }
      let request = String(decoding: buffer[..<count], as: UTF8.self)
      if request.hasPrefix("GET /_causeway/stream") {
        streams.append(connection)
        write(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n:\n\n\r\n", to: connection)
      } else if request.hasPrefix("GET") {
        answer(#"{"session":"00","version":1,"state":{}}"#, to: connection)
      } else {
        let body = request.split(separator: "\r\n\r\n").last ?? ""
        let payload = "event: patch\nid: 2\ndata: \(body)\(String(repeating: " ", count: 100))\n\n"
        let bytes = Array("\(String(payload.utf8.count, radix: 16))\r\n\(payload)\r\n".utf8)
        for stream in streams { send(stream, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
        answer("{}", to: connection)
      }
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
