import CHarborPage
import Causeway
import CausewayData
import CausewayInspector
import CausewayWeb
import Foundation
import HarborBackend
import HarborDomain
import HarborFeatures

/// The pages of a device or a host, on a web server.
@MainActor struct HarborPages {
  let source: any PageSource
  /// Shows what the pages do; `nil` unless a developer asks for it.
  let inspector: Inspector?
  /// Receives the problems of the pages that no handler has handled; `nil` for standard error.
  private let report: (@MainActor (RuntimeError) -> Void)?
  /// The code of an invitation opens a group.
  private let redaction = ["accept", "calendar", "code", "invitation", "mail", "setMail", "visit"]
    .reduce(Redaction<HarborInteractor.State, HarborInteractor.Action>()) { $0.hiding(named: $1) }
  /// The board of pages without a group.
  private let empty = SharedBoards(NoBoard(), BoardSnapshot(NoBoard()))
  private static let addresses =
    HarborInteractor.Section.allCases.map(\.address)
    + ["/past", "/day", "/activity/:id", "/join/:code"]
  /// The address of an invitation is a secret, like the addresses and codes in the view state.
  static let offline = OfflinePages(
    name: "Harbor", icons: ["/harbor.svg"], themeColor: "#0f3a4c", backgroundColor: "#0f3a4c",
    pages: Set(addresses).subtracting(["/join/:code"]),
    hiding: ["calendar", "code", "invitation", "invitations", "mail"])

  init(
    _ source: any PageSource, _ inspector: Inspector? = nil,
    report: (@MainActor (RuntimeError) -> Void)? = nil
  ) {
    (self.source, self.inspector, self.report) = (source, inspector, report)
  }

  /// Adds the pages and their files to a server.
  func serve(on server: WebServer) throws {
    let fields = String(cString: fields_html())
    var page = String(cString: index_html())
    for (form, focus) in [("feed.composer", "feed.isComposing"), ("item", "item.id")] {
      let mark = "<!-- fields of \(form) -->"
      precondition(page.contains(mark), "index.html has no place for the fields of \(form).")
      page = page.replacing(
        mark, with: fields.replacing("FORM", with: form).replacing("FOCUS", with: focus))
    }
    let template = try PageTemplate(page, name: "index.html")
    for address in Self.addresses {
      server.page(
        address, template, receiving: PageAction.self, as: \.action, answering: \.answer,
        sharing: { try board(of: $0).state }, makeModel: { try await model(of: $0) })
    }
    source.serve(on: server)
    server.get("/activity/:id/calendar.ics") { [source] request in
      guard let id = request.parameters["id"],
        let activity = try await source.activity(id, for: request)
      else { throw Problem.notFound("This activity is not on a board of yours.") }
      return CalendarDocument(activity.details.title, [activity], on: nil).response(to: request)
    }
    servePictures(on: server)
    let files = [
      ("palette.css", palette_css()), ("harbor.css", harbor_css()), ("board.css", board_css()),
      ("places.css", places_css()), ("layout.css", layout_css()), ("harbor.js", harbor_js()),
      ("harbor.svg", harbor_svg()),
    ]
    for (name, text) in files { server.asset("/\(name)", String(cString: text).utf8) }
  }

  /// The shared board of an open page.
  ///
  /// The scope of the session is the id of its group.
  private func board(
    of session: WebSession
  ) throws -> (state: SharedState, board: SharedBoards.Board) {
    let boards = session.scope.flatMap { source.boards(of: $0) } ?? empty
    return try boards.board(in: session.timeZone, BoardWindow(of: session))
  }

  private func model(
    of session: WebSession
  ) async throws -> ViewModel<PageViewState, HarborInteractor.Action> {
    let page = try await source.open(session)
    // The typed text and the unsent actions of a page belong to one board.
    (session.account, session.scope) = (page.account, page.group)
    let board = try self.board(of: session).board
    let environment = page.environment(board.wording)
    environment.feed.window = board.window
    let interactor = HarborInteractor(
      environment: environment, address: page.address ?? session.path)
    let isFull =
      board.window != BoardWindow(of: session)
      || board.wording.timeZone != session.timeZone ?? board.wording.timeZone
    let reducer = PageReducer(wording: board.wording, window: board.window, isFull: isFull)
    let model = ViewModel(
      interactor, reducer: reducer,
      observer: .inspected(by: inspector, as: "Page", hiding: redaction) { state, observer in
        ViewModel(interactor, reducer: reducer, initialState: state, observer: observer)
      }, onError: report)
    model.send(.appear)
    return model
  }
}

extension BoardWindow {
  /// The window of the address of a page.
  init(of session: WebSession) {
    self.init(
      path: session.path, page: session.query("page"), date: session.query("date"),
      in: BoardWording(timeZone: session.timeZone ?? .current))
  }
}

/// Profile pictures.
extension HarborPages {
  private static let limit = 2 << 20

  private func servePictures(on server: WebServer) {
    server.get("/pictures/:group/:id") { [source] request in
      let key = PictureKey(
        group: request.parameters["group"] ?? "", id: request.parameters["id"] ?? "")
      let bytes = try await source.picture(key, for: request)
      // A server of an earlier version may have a picture that this version refuses.
      guard let header = try? PictureHeader(bytes) else {
        throw Problem.notFound("The server's answer is no picture that a page can show.")
      }
      return .representation(of: bytes, type: header.type.rawValue, for: request)
    }
    server.post("/pictures", bodyLimit: Self.limit, access: .sessions) { [source] request in
      let bytes = Array(request.body)
      do {
        _ = try PictureHeader(bytes)
      } catch {
        throw Problem(.unsupportedMediaType, code: "not-a-picture", detail: "\(error)")
      }
      guard let group = request.session?.scope else {
        throw Problem.notFound("There is no group.")
      }
      return try .json(
        ["id": try await source.add(picture: bytes, to: group, for: request)], status: .created)
    }
  }
}
