public import CausewayCache
public import CausewayNetwork

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
  /// its ETag if it has one. A response with `Cache-Control: no-store` may not be on the disk.
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
      return .value(
        response.body, validator: response.headers.validator, mayStore: response.headers.mayStore)
    } catch let error as NetworkError where validator != nil && error.isNotModified {
      return .notModified(
        validator: error.confirmation.validator, mayStore: error.confirmation.mayStore)
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
      return .value(
        value, validator: response.headers.validator, mayStore: response.headers.mayStore)
    } catch let error as NetworkError where validator != nil && error.isNotModified {
      return .notModified(
        validator: error.confirmation.validator, mayStore: error.confirmation.mayStore)
    }
  }
}

extension NetworkRequest {
  /// The request, with the condition that the resource no longer matches a validator (RFC 9110,
  /// 13.1).
  fileprivate func conditional(on validator: String?) -> NetworkRequest {
    guard let validator else { return self }
    var request = self
    // An entity tag is in quotes, and a date ends with its time zone.
    let isDate = validator.hasSuffix(" GMT") && !validator.hasPrefix("\"")
    request.headers[isDate ? "if-modified-since" : "if-none-match"] = validator
    return request
  }
}

extension NetworkHeaders {
  /// The entity tag; if there is none, the date of the last change.
  fileprivate var validator: String? { self["etag"] ?? self["last-modified"] }

  /// Whether the response may be stored (RFC 9111, 5.2.2.5).
  fileprivate var mayStore: Bool {
    let directives = (self["cache-control"] ?? "").split(separator: ",")
    return !directives.contains { directive in
      let name = directive.prefix { $0 != "=" }.filter { $0 != " " && $0 != "\t" }
      return name.lowercased() == "no-store"
    }
  }
}

extension NetworkError {
  fileprivate var isNotModified: Bool { kind == .status && status == 304 }
}
