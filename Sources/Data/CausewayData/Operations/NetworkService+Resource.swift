public import CausewayNetwork
public import CausewayStores

extension NetworkService {
  /// Loads the bytes of a resource for a cache, unless the server still has the same version.
  ///
  /// ```swift
  /// let pictures = ResourceCache<PictureID, [UInt8]>(validatingLoader: { id, validator in
  ///   try await network.resource(for: .picture(id), unlessMatching: validator)
  /// })
  /// ```
  ///
  /// The request has `If-None-Match` with the ETag of the cached value, or `If-Modified-Since` if
  /// the server has sent only a date. A response with status 304 is returned as `notModified`, with
  /// its ETag if it has one. The cache does not store a response with `Cache-Control: no-store` on
  /// the disk. It uses the time for which the value is fresh according to the server, if its policy
  /// has a ``ResourcePolicy/serverFreshness``.
  ///
  /// - Parameters:
  ///   - request: The request, with a method that only reads.
  ///   - validator: The validator of the cached value; `nil` to load the value unconditionally.
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  public func resource(
    for request: NetworkRequest, unlessMatching validator: String?
  ) async throws -> ResourceAnswer<[UInt8]> {
    do {
      let response = try await response(for: request.conditional(on: validator))
      let headers = response.headers
      return .value(
        response.body, validator: headers.validator, freshFor: headers.freshness,
        mayStore: headers.mayStore)
    } catch let error as NetworkError where validator != nil && error.isNotModified {
      let headers = error.confirmation
      return .notModified(
        validator: headers.validator, freshFor: headers.freshness, mayStore: headers.mayStore)
    }
  }

  /// Loads the value of an endpoint for a cache, unless the server still has the same version.
  ///
  /// Works like ``resource(for:unlessMatching:)`` with a request, and decodes the value off the
  /// caller's actor.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint, with a method that only reads.
  ///   - validator: The validator of the cached value; `nil` to load the value unconditionally.
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  public func resource<Response>(
    for endpoint: Endpoint<Response>, unlessMatching validator: String?
  ) async throws -> ResourceAnswer<Response> {
    var endpoint = endpoint
    endpoint.request = endpoint.request.conditional(on: validator)
    do {
      let (value, response) = try await decoded(endpoint, progress: nil)
      let headers = response.headers
      return .value(
        value, validator: headers.validator, freshFor: headers.freshness,
        mayStore: headers.mayStore)
    } catch let error as NetworkError where validator != nil && error.isNotModified {
      let headers = error.confirmation
      return .notModified(
        validator: headers.validator, freshFor: headers.freshness, mayStore: headers.mayStore)
    }
  }
}

extension NetworkRequest {
  /// The request, on the condition that the resource does not match a validator (RFC 9110, 13.1).
  fileprivate func conditional(on validator: String?) -> NetworkRequest {
    guard let validator else { return self }
    var request = self
    // An entity tag is in quotes, and a date ends with its time zone.
    let isDate = validator.hasSuffix(" GMT") && !validator.hasPrefix("\"")
    request.headers[isDate ? "if-modified-since" : "if-none-match"] = validator
    return request
  }
}

extension NetworkError {
  fileprivate var isNotModified: Bool { kind == .status && status == 304 }
}
