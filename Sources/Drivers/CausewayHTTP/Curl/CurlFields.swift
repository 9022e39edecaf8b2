#if canImport(CCurl)
  import CCurl
  import CausewayNetwork

  /// The header fields of a request in libcurl's list format.
  final class CurlFields {
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    init(_ headers: NetworkHeaders) {
      // libcurl itself sends the length and the transfer encoding.
      for (name, value) in headers.sorted
      where name != "content-length" && name != "transfer-encoding" {
        // libcurl expects a semicolon after a field without a value.
        add(value.isEmpty ? "\(name);" : "\(name): \(value)")
      }
      // With "Expect: 100-continue", an upload would wait for a second if the server does not
      // support it.
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
