import CausewayData
import CausewayWeb
import Foundation
import HarborDomain

/// The routes of profile pictures.
extension Backend {
  private static let pictureLimit = 2 << 20

  struct PictureName: Codable, Sendable {
    var id: String
  }

  func servePictures() {
    server.post("/groups/:place/pictures", bodyLimit: Self.pictureLimit) { [self] request in
      let group = request.parameters["place"] ?? ""
      let identity = try await identity(of: request)
      let type = try pictureType(of: request.body)
      let name = PictureName(id: Secret.make(random))
      try rates.count(upload: "picture", by: identity.account)
      let (bytes, now) = (request.body, now())
      try await store.write { [quotas] transaction in
        try identity.check(.group(group), in: transaction)
        try Pictures.add(
          bytes, id: name.id, type: type.rawValue, to: group, by: identity.account, at: now,
          within: quotas, transaction)
      }
      return try .json(name, status: .created)
    }
    server.get("/groups/:place/pictures/:id") { [self] request in
      let group = request.parameters["place"] ?? ""
      let id = request.parameters["id"] ?? ""
      let identity = try await identity(of: request)
      let picture = try await store.read { transaction in
        try identity.check(.group(group), in: transaction)
        return try transaction.row(
          "SELECT type, bytes FROM picture WHERE id = \(id) AND group_id = \(group)",
          as: Picture.self)
      }
      guard let picture else { throw Problem.notFound("There is no picture with this id.") }
      return .representation(of: picture.bytes, type: picture.type, for: request)
    }
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

  private struct Picture: Decodable, Sendable {
    var type: String
    var bytes: Data
  }
}
