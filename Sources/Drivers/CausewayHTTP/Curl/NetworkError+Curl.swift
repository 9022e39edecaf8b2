#if canImport(CCurl)
  import CCurl
  import CausewayNetwork
  import CausewaySystem
  import Foundation

  extension NetworkError {
    /// The code for oversized data; older versions of libcurl use `CURLE_OUT_OF_MEMORY`.
    private static let tooLarge = CURLcode(100)

    /// Makes an error from an error of libcurl.
    ///
    /// - Parameters:
    ///   - number: The code of the error.
    ///   - detail: libcurl's message, which may be empty.
    ///   - systemError: The code of the system error that caused the failure; 0 if there is none.
    ///   - hasHead: Whether all header fields of the response have arrived.
    init(libcurl number: UInt32, detail: String, systemError: Int, hasHead: Bool) {
      let code = CURLcode(number)
      let proxy = Proxy.failed(code, detail)
      let kind: Kind =
        switch code {
        // The proxy refuses to connect, so the server has not received the request.
        case CURLE_RECV_ERROR where proxy != nil: .cannotConnect
        // libcurl does not know the transfer coding.
        case CURLE_BAD_CONTENT_ENCODING: .malformed
        case CURLE_COULDNT_CONNECT where [ENETUNREACH, ENETDOWN].contains(Int32(systemError)):
          .notConnected
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY,
          CURLE_PROXY:
          .cannotConnect
        // If a response does not begin with "HTTP", libcurl treats it as HTTP/0.9, and reports it
        // as unsupported.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_GOT_NOTHING,
          CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND,
          CURLE_HTTP2, CURLE_HTTP2_STREAM:
          .connectionLost
        case CURLE_OPERATION_TIMEDOUT:
          .timedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
          CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
          CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
          CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT:
          .insecure
        // A header field, or an unpacked part of the body, exceeds libcurl's own limit. The code
        // does not mean that memory is full: that does not happen on Linux.
        case CURLE_OUT_OF_MEMORY, Self.tooLarge:
          .tooLarge
        case CURLE_URL_MALFORMAT:
          .invalidRequest
        default:
          .other
        }
      let name = String(cString: curl_easy_strerror(code))
      let what = detail.isEmpty ? name : detail
      let message =
        switch (code, kind) {
        case _ where proxy != nil: "\(proxy ?? "the proxy") does not connect: \(what)"
        case (CURLE_SSL_CONNECT_ERROR, _): "no TLS connection could be made: \(what)"
        case (CURLE_UNSUPPORTED_PROTOCOL, _): "the answer is not HTTP: \(what)"
        case (_, .tooLarge) where !hasHead: "a header field is too large: \(what)"
        case (_, .tooLarge): "a part of the body is too large: \(what)"
        default: what
        }
      self.init(kind, message: "\(message) (libcurl's error \(number))")
    }
  }

  /// The proxies of the environment.
  private enum Proxy {
    private static let variables = [
      "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    ]

    /// Returns the proxy that caused an error, without its user; `nil` if there was none.
    ///
    /// libcurl reports an unreachable proxy like an unreachable server, and names the proxy's
    /// address.
    static func failed(_ code: CURLcode, _ detail: String) -> String? {
      switch code {
      case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return "the proxy"
      case CURLE_RECV_ERROR: return detail.contains("CONNECT") ? "the proxy" : nil
      case CURLE_COULDNT_CONNECT: break
      default: return nil
      }
      let environment = ProcessInfo.processInfo.environment
      for variable in variables {
        guard let value = environment[variable], !value.isEmpty,
          let parts = URLComponents(string: value.contains("://") ? value : "http://\(value)"),
          let host = parts.host
        else { continue }
        let port = parts.port ?? 1_080
        if detail.contains("\(host) port \(port) ") { return "the proxy \(host):\(port)" }
      }
      return nil
    }
  }
#endif
