extension Timeline {
  /// The view state of a page.
  struct State: Encodable, Equatable, Sendable {
    /// The program or the recording that the page shows.
    let source: TimelineSource
    /// The name of the shown recording; `nil` for the program.
    let recording: String?
    /// The events that the page shows.
    var query = EventSearch.Query()
    var lanes = InspectorLane.allCases.map { Lane(id: $0.rawValue) }
    var models: [Model] = []
    /// The name of the only shown model; empty for all.
    var model = ""
    var search = ""
    var isPaused = false
    /// Whether the page shows the newest events as they come.
    var isFollowing = true
    var total = 0
    var all = 0
    /// The number of the newest event.
    var newest = 0
    var first = 0
    /// The index of the selected row; -1 without one.
    var selectedIndex = -1
    var rows: [Row] = []
    var selected: Int?
    var detail: Detail?
    /// The results of the search for other orders from the selected step.
    var tries = Tries()
    /// Whether the page of the app is shown as it was at the selected step.
    var showsPage = false
    /// The address of that page.
    var page: String?
    /// A sentence about the last command.
    var notice: String?

    init(_ source: TimelineSource) {
      self.source = source
      recording = source.recording
    }

    /// The query and the source are for the server only.
    private enum CodingKeys: String, CodingKey {
      case lanes, models, model, search, isPaused, isFollowing, total, all, first, selectedIndex
      case rows, detail, tries, notice, recording, showsPage, page
    }
  }

  /// A lane, and whether its events are shown.
  struct Lane: Encodable, Equatable, Sendable {
    var id: String
    var isShown = true
    /// The class for the style sheet.
    var look: String { "lane lane-\(id)" }

    private enum CodingKeys: String, CodingKey { case id, isShown, look }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(isShown, forKey: .isShown)
      try container.encode(look, forKey: .look)
    }
  }

  /// A choice of the list of models.
  struct Model: Encodable, Equatable, Sendable {
    var id: String
  }

  /// A row of the list.
  struct Row: Encodable, Equatable, Sendable {
    var id: Int
    var time: String
    var model: String
    var title: String
    var summary: String
    var look: String
    var isSelected: Bool
  }

  /// The selected event.
  struct Detail: Encodable, Equatable, Sendable {
    var event: Int
    var heading: String
    var value: String?
    var cause: String?
    var model: String?
    var step: Int?
    /// The number of the model's newest step.
    var lastStep: Int?
    /// The lines of the state; empty if the states are not kept.
    var lines: [StateTree.Line] = []
    var explanation: String?
    var canFork = false
    /// Whether the app has a page that shows the model.
    var hasPage = false
    /// Whether the tree compares the present with the state without the step.
    var isWithout = false
    /// The lines that the user has opened or closed.
    var toggled: Set<String> = []

    private enum CodingKeys: String, CodingKey {
      case event, heading, value, cause, model, step, lastStep, lines, explanation, canFork, hasPage
      case isWithout
    }
  }
}

extension Timeline.Row {
  init(_ event: RecordedEvent, isSelected: Bool) {
    id = event.n
    let milliseconds = event.at / 1_000
    let rest = "\(milliseconds % 1_000)"
    time = "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    model = event.model ?? event.lane.rawValue
    title = event.kind == .action ? event.value?.shortened(to: 160) ?? event.title : event.title
    if event.kind == .model { title = "\(event.title) begins" }
    let changes = event.changes ?? []
    summary =
      changes.prefix(3).map { "\($0.path): \(($0.after ?? "–").shortened(to: 60))" }
      .joined(separator: ", ")
    switch event.kind {
    case .note, .query, .mutation, .cache, .request, .response, .error:
      summary =
        [event.value?.shortened(to: 160), event.tookText].compactMap(\.self)
        .joined(separator: ", ")
    default: break
    }
    look = "row lane-\(event.lane.rawValue) kind-\(event.kind.rawValue)"
    self.isSelected = isSelected
  }
}
