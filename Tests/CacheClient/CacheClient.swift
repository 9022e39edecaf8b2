// A client of one part of the data layer. `make check` looks at the libraries that it links.
import CausewayCache

/// Pictures in memory and on disk, until the account signs out.
@main struct CacheClient {
  static func main() async throws {
    let files = DiskStore(directory: "/tmp/pictures", bytes: 200_000_000)
    let pictures = ResourceCache<String, [UInt8]>(disk: .bytes(files) { $0 }) { name in
      Array(name.utf8)
    }
    let session = SessionService()
    session.add(pictures.participant)
    try await session.signIn("ada")
    print(try await pictures.value(for: "harbour.jpg").count)
    do {
      try await session.logout()
    } catch {
      print(error)
    }
  }
}
