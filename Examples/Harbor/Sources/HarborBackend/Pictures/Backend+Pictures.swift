import CausewayData
import CausewaySyncServer
import CausewayWeb
package import Foundation
import HarborAccounts
import HarborDomain

/// The routes of profile pictures.
extension Backend {
  private static let pictureLimit = 2 << 20

  struct PictureName: Codable, Sendable { var id: String }

  func servePictures() {
    server.post("/groups/:place/pictures", bodyLimit: Self.pictureLimit) { [self] request in
      let id = try await add(
        picture: request.body, to: request.parameters["place"] ?? "",
        as: try await identity(of: request).account)
      return try .json(PictureName(id: id), status: .created)
    }
    // A device names the picture, so it can send it again if the answer was lost.
    server.put("/groups/:place/pictures/:id", bodyLimit: Self.pictureLimit) { [self] request in
      let id = request.parameters["id"] ?? ""
      guard Self.isPictureID(id) else {
        throw Problem(
          .unprocessableContent, code: "bad-picture-id",
          detail: "The id of a picture has 20 to 100 letters, digits and hyphens.")
      }
      try await add(
        picture: request.body, id: id, to: request.parameters["place"] ?? "",
        as: try await identity(of: request).account)
      return try .json(PictureName(id: id))
    }
    server.get("/groups/:place/pictures/:id") { [self] request in
      let picture = try await picture(
        request.parameters["id"] ?? "", of: request.parameters["place"] ?? "",
        as: try await identity(of: request).account)
      return .representation(of: picture.bytes, type: picture.type, for: request)
    }
  }

  /// Stores a picture that no person uses yet, without its metadata, and returns its id.
  package func add(
    picture bytes: Data, to group: String, as account: String
  ) async throws -> String {
    let id = Secret.make(random)
    try await add(picture: bytes, id: id, to: group, as: account)
    return id
  }

  /// Does nothing if the account has stored a picture with the id already.
  private func add(
    picture bytes: Data, id: String, to group: String, as account: String
  ) async throws {
    let type = try pictureType(of: bytes)
    let bytes = Data(type.removingMetadata(from: bytes))
    try rates.count(upload: "picture", by: account)
    let now = now()
    try await store.write { [quotas] transaction in
      try Identity(account: account).check(.group(group), in: transaction)
      if let isOwn = try Pictures.isOwn(id, of: account, in: group, transaction) {
        if isOwn { return }
        throw Problem(
          .conflict, code: "picture-exists", detail: "There is another picture with this id.")
      }
      try Pictures.add(
        bytes, id: id, type: type.rawValue, to: group, by: account, at: now,
        within: quotas, transaction)
    }
  }

  private static func isPictureID(_ id: String) -> Bool {
    id.wholeMatch(of: /[A-Za-z0-9-]{20,100}/) != nil
  }

  /// Reads a picture.
  package func picture(
    _ id: String, of group: String, as account: String
  ) async throws -> Picture {
    let picture = try await store.read { transaction in
      try Identity(account: account).check(.group(group), in: transaction)
      return try transaction.row(
        "SELECT type, bytes FROM picture WHERE id = \(id) AND group_id = \(group)",
        as: Picture.self)
    }
    guard let picture else { throw Problem.notFound("There is no picture with this id.") }
    return picture
  }

  private func pictureType(of file: Data) throws(Problem) -> PictureType {
    do {
      return try PictureHeader(file).type
    } catch .notAPicture {
      throw Problem(
        .unsupportedMediaType, code: "not-a-picture",
        detail: "The file is not a PNG, JPEG, GIF or WebP picture.")
    } catch {
      throw Problem(.unprocessableContent, code: "picture-too-large", detail: "\(error)")
    }
  }

  package struct Picture: Decodable, Sendable {
    var type: String
    package var bytes: Data
  }
}
