extension WebServer {
  /// Answers a request off the main actor.
  ///
  /// If it throws a `Problem`, that is the response. Any other error gives a 500 without details.
  public typealias Responder = @concurrent @Sendable (Request) async throws -> Response

  /// Answers `GET` and `HEAD` at a path such as `/links/:name`.
  ///
  /// The server tries routes in the order in which they were added. `**` at the end of a pattern
  /// matches the rest of the path, which becomes the parameter named `**`.
  public func get(_ pattern: String, _ respond: @escaping Responder) {
    add(.get, pattern, nil, .concurrent(respond))
  }

  /// Answers `POST`.
  ///
  /// - Parameters:
  ///   - pattern: The path, as for ``get(_:_:)``.
  ///   - bodyLimit: The limit of the body in bytes; the server's limit when nil.
  ///   - access: The clients that may use the route.
  ///   - respond: Makes the answer.
  public func post(
    _ pattern: String, bodyLimit: Int? = nil, access: RouteAccess = .anyone,
    _ respond: @escaping Responder
  ) {
    add(.post, pattern, bodyLimit, .concurrent(respond), access)
  }

  /// Answers `PUT`.
  ///
  /// - Parameters:
  ///   - pattern: The path, as for ``get(_:_:)``.
  ///   - bodyLimit: The limit of the body in bytes; the server's limit when nil.
  ///   - access: The clients that may use the route.
  ///   - respond: Makes the answer.
  public func put(
    _ pattern: String, bodyLimit: Int? = nil, access: RouteAccess = .anyone,
    _ respond: @escaping Responder
  ) {
    add(.put, pattern, bodyLimit, .concurrent(respond), access)
  }

  /// Answers `PATCH`.
  ///
  /// - Parameters:
  ///   - pattern: The path, as for ``get(_:_:)``.
  ///   - bodyLimit: The limit of the body in bytes; the server's limit when nil.
  ///   - access: The clients that may use the route.
  ///   - respond: Makes the answer.
  public func patch(
    _ pattern: String, bodyLimit: Int? = nil, access: RouteAccess = .anyone,
    _ respond: @escaping Responder
  ) {
    add(.patch, pattern, bodyLimit, .concurrent(respond), access)
  }

  /// Answers `DELETE`.
  ///
  /// - Parameters:
  ///   - pattern: The path, as for ``get(_:_:)``.
  ///   - access: The clients that may use the route.
  ///   - respond: Makes the answer.
  public func delete(
    _ pattern: String, access: RouteAccess = .anyone, _ respond: @escaping Responder
  ) {
    add(.delete, pattern, nil, .concurrent(respond), access)
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
  /// A body that does not fit the type is answered with a 400 that names the wrong member.
  public func post<Input: Decodable & Sendable, Output: Encodable & Sendable>(
    _ pattern: String, body: Input.Type, bodyLimit: Int? = nil, access: RouteAccess = .anyone,
    json respond: @escaping @concurrent @Sendable (Request, Input) async throws -> Output
  ) {
    post(pattern, bodyLimit: bodyLimit, access: access) { request in
      try .json(try await respond(request, request.decode(Input.self)))
    }
  }

  /// Answers `PUT` of a JSON value with a JSON value.
  ///
  /// A body that does not fit the type is answered with a 400 that names the wrong member.
  public func put<Input: Decodable & Sendable, Output: Encodable & Sendable>(
    _ pattern: String, body: Input.Type, bodyLimit: Int? = nil, access: RouteAccess = .anyone,
    json respond: @escaping @concurrent @Sendable (Request, Input) async throws -> Output
  ) {
    put(pattern, bodyLimit: bodyLimit, access: access) { request in
      try .json(try await respond(request, request.decode(Input.self)))
    }
  }

  /// Serves bytes that are in memory, with an entity tag and byte ranges.
  ///
  /// - Parameters:
  ///   - path: The path of the bytes on the server.
  ///   - bytes: The bytes.
  ///   - type: The content type; nil chooses it by the path's extension.
  public func asset(_ path: String, _ bytes: some Sequence<UInt8>, type: String? = nil) {
    let file = MemoryFile(Array(bytes), type: type ?? MediaType.of(path: path))
    add(.get, path, nil, .immediate { file.response(for: $0) })
  }

  /// Serves the files below a folder, with entity tags and byte ranges.
  ///
  /// The server does not serve hidden files or symbolic links that lead out of the folder.
  ///
  /// - Parameters:
  ///   - prefix: The path that stands for the folder.
  ///   - directory: The folder's path in the file system.
  public func files(_ prefix: String, directory: String) {
    let folder = ServedFolder(path: directory)
    let pattern = prefix.hasSuffix("/") ? prefix + "**" : prefix + "/**"
    get(pattern) { request in try folder.response(for: request) }
  }

  func add(
    _ method: HTTPMethod, _ pattern: String, _ bodyLimit: Int?, _ answer: Route.Answer,
    _ access: RouteAccess = .anyone
  ) {
    site.add(
      Route(
        method: method, pattern: PathPattern(pattern), bodyLimit: bodyLimit, access: access,
        answer: answer))
  }
}
