@testable import causeway

/// Migrates files without an index; returns the migrated texts.
func migrate(
  _ files: [String: String], others: [String: String] = [:], users: [Migration.Users] = [],
  nonsending: Bool = false, scope: MigrationPlan.Scope = .needed
) -> (texts: [String: String], outcome: Migration.Outcome) {
  func module(_ files: [String: String]) -> Check.Module {
    Check.Module(
      settings: BuildSettings(),
      files: files.sorted { $0.key < $1.key }.map { SourceFile(path: $0.key, text: $0.value) })
  }
  let outcome = Migration(
    module: module(files),
    others: users + (others.isEmpty ? [] : [Migration.Users(module: module(others))]), index: nil,
    addsNonsending: nonsending, scope: scope, jobs: 1
  ).run()
  var texts = files
  for (_, fixed) in outcome.changed { texts[fixed.path] = fixed.text }
  return (texts, outcome)
}
