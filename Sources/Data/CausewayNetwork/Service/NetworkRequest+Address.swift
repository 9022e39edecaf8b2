extension NetworkRequest {
  /// Returns the address of the request: the base, the path and the query.
  ///
  /// - Parameter base: The service's address, with or without a slash at its end.
  package func address(below base: String) -> String {
    var address = base
    while address.hasSuffix("/") { address.removeLast() }
    address += path.encoded
    if !query.isEmpty {
      address +=
        "?"
        + query.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
        .joined(separator: "&")
    }
    return address
  }

  /// The reason why the request cannot be sent; `nil` if it is valid.
  package func problem(below base: String) -> NetworkError? {
    guard let problem = path.problem ?? headers.problem ?? keyProblem else { return nil }
    return NetworkError(
      .invalidRequest, message: problem, method: method,
      url: NetworkError.redacted(address(below: base)))
  }

  private var keyProblem: String? {
    NetworkHeaders(idempotencyKey.map { [("idempotency-key", $0.rawValue)] } ?? []).problem
  }
}
