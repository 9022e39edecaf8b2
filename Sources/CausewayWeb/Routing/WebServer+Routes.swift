extension WebServer {
  /// Answers a request; runs off the main actor.
  ///
  /// What it throws becomes the response when it is a `Problem`, and a 500 that tells nothing
  /// otherwise.
  public typealias Responder = @concurrent @Sendable (Request) async throws -> Response

  /// Answers `GET` and `HEAD` at a path such as `/links/:name`.
  ///
  /// Routes are tried in the order in which they were added. `**` at the end of a pattern fits
  /// any rest, which is then the parameter named `**`.
  public func get(_ pattern: String, _ respond: @escaping Responder) {
    add(.get, pattern, nil, .concurrent(respond))
  }

  /// Answers `POST`.
  ///
  /// - Parameters:
  ///   - pattern: The path, as for ``get(_:_:)``.
  ///   - bodyLimit: Bytes that the body may have; the server's limit when nil.
  ///   - respond: Makes the answer.
  public func post(_ pattern: String, bodyLimit: Int? = nil, _ respond: @escaping Responder) {
    add(.post, pattern, bodyLimit, .concurrent(respond))
  }

  /// Answers `PUT`.
  ///
  /// - Parameters:
  ///   - pattern: The path, as for ``get(_:_:)``.
  ///   - bodyLimit: Bytes that the body may have; the server's limit when nil.
  ///   - respond: Makes the answer.
  public func put(_ pattern: String, bodyLimit: Int? = nil, _ respond: @escaping Responder) {
    add(.put, pattern, bodyLimit, .concurrent(respond))
  }

  /// Answers `PATCH`.
  ///
  /// - Parameters:
  ///   - pattern: The path, as for ``get(_:_:)``.
  ///   - bodyLimit: Bytes that the body may have; the server's limit when nil.
  ///   - respond: Makes the answer.
  public func patch(_ pattern: String, bodyLimit: Int? = nil, _ respond: @escaping Responder) {
    add(.patch, pattern, bodyLimit, .concurrent(respond))
  }

  /// Answers `DELETE`.
  public func delete(_ pattern: String, _ respond: @escaping Responder) {
    add(.delete, pattern, nil, .concurrent(respond))
  }

  /// Answers `GET` with a value as JSON.
  public func get<Output: Encodable & Sendable>(
    _ pattern: String,
    json respond: @escaping @concurrent @Sendable (Request) async throws -> Output
  ) {
    get(pattern) { request in try .json(try await respond(request)) }
  }

  /// Answers `POST` of a JSON value with a JSON value.
  ///
  /// A body that does not fit the type is a 400 that names the member that is wrong.
  public func post<Input: Decodable & Sendable, Output: Encodable & Sendable>(
    _ pattern: String, body: Input.Type, bodyLimit: Int? = nil,
    json respond: @escaping @concurrent @Sendable (Request, Input) async throws -> Output
  ) {
    post(pattern, bodyLimit: bodyLimit) { request in
      try .json(try await respond(request, request.decode(Input.self)))
    }
  }

  /// Answers `PUT` of a JSON value with a JSON value.
  ///
  /// A body that does not fit the type is a 400 that names the member that is wrong.
  public func put<Input: Decodable & Sendable, Output: Encodable & Sendable>(
    _ pattern: String, body: Input.Type, bodyLimit: Int? = nil,
    json respond: @escaping @concurrent @Sendable (Request, Input) async throws -> Output
  ) {
    put(pattern, bodyLimit: bodyLimit) { request in
      try .json(try await respond(request, request.decode(Input.self)))
    }
  }

  /// Serves bytes that are in memory, with an entity tag and byte ranges.
  ///
  /// - Parameters:
  ///   - path: Where they are served.
  ///   - bytes: The bytes.
  ///   - type: The content type; from the path's extension when nil.
  public func asset(_ path: String, _ bytes: some Sequence<UInt8>, type: String? = nil) {
    let bytes = Array(bytes)
    let tag = EntityTag.of(bytes)
    let type = type ?? MediaType.of(path: path)
    let answer = Route.Answer.immediate { request in
      .representation(
        of: .bytes(bytes, entityTag: tag), type: type, cacheControl: "no-cache", for: request)
    }
    add(.get, path, nil, answer)
  }

  /// Serves the files below a folder, with entity tags and byte ranges.
  ///
  /// Hidden files, and links that lead out of the folder, are not served.
  ///
  /// - Parameters:
  ///   - prefix: The path that stands for the folder.
  ///   - directory: The folder's path in the file system.
  public func files(_ prefix: String, directory: String) {
    let folder = ServedFolder(path: directory)
    let pattern = prefix.hasSuffix("/") ? prefix + "**" : prefix + "/**"
    get(pattern) { request in try folder.response(for: request) }
  }

  func add(_ method: HTTPMethod, _ pattern: String, _ bodyLimit: Int?, _ answer: Route.Answer) {
    site.add(
      Route(
        method: method, pattern: PathPattern(pattern), bodyLimit: bodyLimit, answer: answer))
  }
}
