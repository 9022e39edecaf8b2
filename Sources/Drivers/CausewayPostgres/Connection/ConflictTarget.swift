/// The columns of a unique index of a table.
struct ConflictTarget: Hashable {
  let table: String
  let columns: [String]
}
