#if os(Linux)
  import CCurl
  import CausewayData

  /// The header fields of a request, as libcurl takes them.
  final class CurlFields {
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    init(_ headers: NetworkHeaders) {
      // How long the body is, and how it is sent, libcurl says itself.
      for (name, value) in headers.sorted
      where name != "content-length" && name != "transfer-encoding" {
        // A field without a value is written with a semicolon.
        add(value.isEmpty ? "\(name);" : "\(name): \(value)")
      }
      // Otherwise an upload waits a second for servers that do not know "100 Continue".
      if headers["expect"] == nil { add("expect:") }
    }

    deinit {
      curl_slist_free_all(list)
    }

    private func add(_ line: String) {
      if let longer = curl_slist_append(list, line) { list = longer }
    }
  }
#endif
