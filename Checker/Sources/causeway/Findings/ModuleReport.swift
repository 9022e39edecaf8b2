/// What the rules found in the files of one module.
///
/// It depends only on the files of the module, its settings and the rules, so it can be kept while
/// these do not change.
struct ModuleReport: Codable, Sendable {
  struct File: Codable, Sendable {
    let path: String
    var findings: [Finding] = []
    var problems: [Check.Problem] = []
    var ignoredCount = 0
  }

  let files: [File]
}
