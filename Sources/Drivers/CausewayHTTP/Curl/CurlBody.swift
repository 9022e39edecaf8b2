#if canImport(CCurl)
  import CausewayNetwork
  import CausewaySystem

  /// The body of a request, which libcurl reads in parts.
  ///
  /// Used only on the thread of its transfer.
  final class CurlBody {
    private enum Source {
      case bytes([UInt8])
      case file(Int32, path: String)
    }

    private let source: Source
    /// The size of the body in bytes.
    let count: Int
    /// The number of bytes that were read.
    private(set) var offset = 0

    /// Makes the body of a request; `nil` if the request has no body and does not need one.
    ///
    /// A POST, PUT or PATCH without a body announces a length of 0 (RFC 9110, 8.6).
    init?(_ request: WireRequest) throws(NetworkError) {
      switch request.body {
      case .none:
        guard [.post, .put, .patch].contains(request.method) else { return nil }
        source = .bytes([])
        count = 0
      case .bytes(let bytes, _):
        source = .bytes(bytes)
        count = bytes.count
      case .file(let path, _):
        // Without `O_NONBLOCK`, opening a pipe that has no writer would block all requests.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else {
          let reason =
            status.st_mode == 0 ? String(cString: strerror(errno)) : "it is not a regular file"
          if descriptor >= 0 { close(descriptor) }
          throw NetworkError(.file, message: "the file \(path) to send cannot be read: \(reason)")
        }
        source = .file(descriptor, path: path)
        count = Int(status.st_size)
      }
    }

    deinit {
      if case .file(let descriptor, _) = source { close(descriptor) }
    }

    /// Reads the next part.
    ///
    /// - Returns: The number of bytes that were read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int {
      let wanted = min(buffer.count, count - offset)
      guard wanted > 0 else { return 0 }
      switch source {
      case .bytes(let bytes):
        bytes[offset..<(offset + wanted)].withUnsafeBytes { buffer.copyMemory(from: $0) }
        offset += wanted
        return wanted
      case .file(let descriptor, let path):
        while true {
          let got = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
          if got > 0 {
            offset += got
            return got
          }
          if got < 0, errno == EINTR { continue }
          let reason = got < 0 ? String(cString: strerror(errno)) : "it has become shorter"
          throw NetworkError(.file, message: "the file \(path) to send cannot be read: \(reason)")
        }
      }
    }

    /// Sets the position, so the body can be sent again.
    func seek(to offset: Int) -> Bool {
      guard (0...count).contains(offset) else { return false }
      self.offset = offset
      return true
    }
  }
#endif
