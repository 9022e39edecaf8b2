extension PersistenceError {
  /// A sentence that tells how to fix the error.
  public var remedy: String {
    if isFromServer, let remedy = serverRemedy { return remedy }
    return switch kind {
    case .busy:
      "Close the program that holds the lock, or raise the busy timeout."
    case .full:
      "Free space on the disk and try again; committed changes are kept."
    case .corrupt:
      "Move the file aside and restore a backup, or let the service create a new one."
    case .fileReplaced:
      "Put the file back, or close the service and open it again; the last writes are in the old file."
    case .notADatabase:
      "Check the path; the file there is not a database and was left unchanged."
    case .readOnly:
      "Give the process write access to the file and its directory, or use a write transaction."
    case .cannotOpen:
      "Check that the directory exists and that the process may write to it."
    case .constraint(.unique):
      "Use upsert, or choose another key."
    case .constraint(.foreignKey):
      "Store the referenced row first, or delete the referring rows first."
    case .constraint:
      "Correct the record so that it fits the schema."
    case .inputOutput:
      "Check the disk and its mount, then open the service again."
    case .interrupted:
      "No action is needed: the task was cancelled."
    case .timedOut:
      "Make the statement faster, for example by an index, or raise the time limit."
    case .statement:
      missingTable.map(Self.remedy(missing:)) ?? "Correct the statement."
    case .decoding:
      "Make the row type match the selected columns."
    case .encoding:
      "Give the property a type that the database can store."
    case .migration:
      "Keep past migrations as they were and append a new one."
    case .aborted:
      "Fix the first failure in the transaction and run the whole transaction again."
    case .unavailable:
      "Check the address, the network and the server, then try again."
    case .outcomeUnknown:
      "Read the rows to see whether they are stored, or repeat the write with an idempotency key."
    case .closed:
      "Open a new service."
    case .other:
      "Look up the code in the database's documentation."
    }
  }
}

extension PersistenceError {
  /// Whether a server has reported the failure.
  ///
  /// The extended code is then an `SQLSTATE`, read as a number in base 36 with five digits. The
  /// codes of SQLite are smaller.
  private var isFromServer: Bool { extendedCode >= 36 * 36 * 36 }

  /// The remedy for a server, if the remedy for a file does not fit.
  private var serverRemedy: String? {
    switch kind {
    case .busy: "Try again, or raise the busy timeout: another transaction uses the same rows."
    case .full: "Free space on the disk of the server and try again; committed changes are kept."
    case .corrupt: "Stop the server and restore a backup: a table or an index is damaged."
    case .readOnly:
      "Connect to the primary, or allow writing: the server or the role permits only reading."
    case .cannotOpen: "Check the name, the password and the rights of the role, and the database."
    case .inputOutput: "Check the disk of the server and its log."
    case .other:
      "Look up the SQLSTATE in the documentation of PostgreSQL, and read the server's log."
    case .fileReplaced, .notADatabase, .constraint, .interrupted, .timedOut,
      .statement, .decoding, .encoding, .migration, .aborted, .unavailable, .outcomeUnknown,
      .closed:
      nil
    }
  }

  /// The table that the statement names and the database does not have; `nil` for other errors.
  ///
  /// Both databases report it only in their text: `no such table: note` and
  /// `relation "note" does not exist`.
  private var missingTable: Substring? {
    if let name = message.firstMatch(of: /no such table: (?:main\.)?(\w+)/) { return name.1 }
    return message.firstMatch(of: /relation "(\w+)" does not exist/)?.1
  }

  private static func remedy(missing table: Substring) -> String {
    if table.hasPrefix("sync_") { return "Add Outbox.migrations to the migrations of the service." }
    for ending in ["_base", "_overlay"] where table.hasSuffix(ending) {
      return """
        Add the migration of the SyncedTable "\(table.dropLast(ending.count))" to the migrations of \
        the service, behind Outbox.migrations.
        """
    }
    return "Correct the name, or add a migration that creates \(table)."
  }
}
