#if canImport(CCurl)
  import CCurl

  /// The buffer for libcurl's error messages.
  final class CurlErrorBuffer {
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init() {
      buffer.pointee = 0
    }

    deinit {
      buffer.deallocate()
    }

    var text: String { String(cString: buffer) }
  }
#endif
