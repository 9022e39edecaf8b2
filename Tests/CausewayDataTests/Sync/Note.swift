import CausewayData

/// The record of these tests.
struct Note: Codable, Equatable, Hashable, Sendable, Identifiable {
  var id: String
  var title = ""
  var stars = 0
  var place: String?
}

enum NoteMutation: Mutation, Equatable {
  case write(Note)
  case rename(id: String, title: String)
  case star(id: String)
  case remove(id: String)

  var recordID: String {
    switch self {
    case .write(let note): note.id
    case .rename(let id, _), .star(let id), .remove(let id): id
    }
  }

  var kind: String {
    switch self {
    case .write: "write"
    case .rename: "rename"
    case .star: "star"
    case .remove: "remove"
    }
  }

  func apply(to record: inout Note?) {
    switch self {
    case .write(let note): record = note
    case .rename(_, let title): record?.title = title
    case .star: record?.stars += 1
    case .remove: record = nil
    }
  }
}

let notes = SyncedTable<Note>("note")

let noteMigrations =
  Outbox.migrations + [
    notes.migration(
      columns: "id TEXT NOT NULL, title TEXT NOT NULL, stars INTEGER NOT NULL, place TEXT")
  ]
