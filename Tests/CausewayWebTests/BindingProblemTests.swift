import Causeway
import CausewayWebTesting
import Foundation
import TestSupport
import Testing

@testable import CausewayWeb

/// Mistakes in page files, and the exact report of each.
@Suite(.timeLimit(.minutes(10)))
struct BindingProblemTests {
  struct Shop: Interactor {
    struct Item: Codable, Equatable, Identifiable, Sendable {
      var id: String
      var title: String
      var note: String?
      var parts: [String] = []
    }

    struct Draft: EditableState, Codable, Equatable {
      var title = ""
      var wantsNews = false

      static let editableFields = [
        EditableField<Draft>("title", \.title), EditableField("wantsNews", \.wantsNews),
      ]
    }

    struct State: Codable, Equatable, Sendable {
      var count = 0
      var title = "Shop"
      var items: [Item] = []
      var picked: Item?
      var names: [String: Int] = [:]
      var draft = Draft()
    }

    enum Action: Codable, Sendable {
      case add(Int)
      case refresh
      case create(title: String, price: Double?)
      case remove(id: String)
      case pick(Date)
      case edit(FieldEdit<Draft>)
    }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { _, _ in .state }
    }
  }

  /// A mistake in the fourth line of a page, and its report.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let html: String
    let subject: String
    let text: String

    init(_ html: String, _ subject: String, _ text: String) {
      (self.html, self.subject, self.text) = (html, subject, text)
    }

    var testDescription: String { html }
  }

  static func page(_ html: String) throws -> PageTemplate {
    try PageTemplate(
      "<!doctype html><html><head><title>{{title}}</title>\n<!-- causeway -->\n</head><body>\n\(html)\n</body></html>",
      values: ["title": "Two\nlines"], name: "shop.html")
  }

  static func problems(_ html: String) async throws -> [String] {
    let server = WebServer(configuration: .init(port: 0))
    server.post("/pictures/:id") { _ in .text("") }
    server.get("/files") { _ in .text("") }
    server.page("/", try page(html)) { _ in ViewModel(Shop()) }
    return try await PageTestClient(server).problems
  }

  static let mistakes: [Mistake] = [
    // Names of attributes.
    .init(
      #"<p data-txt="title"></p>"#, #"data-txt="title""#,
      "there is no binding with this name; did you mean data-text?"),
    .init(
      #"<p data-if="count"></p>"#, #"data-if="count""#,
      "there is no binding with this name; did you mean data-show?"),
    .init(
      #"<p data-text="title" data-text="count"></p>"#, #"data-text="count""#,
      "the attribute is written twice; browsers ignore the second one."),
    .init(
      #"<button onclick="buy()">Buy</button>"#, #"onclick="buy()""#,
      "the page's content security policy forbids scripts in attributes; write data-on=\"click\" and data-action."
    ),
    // Paths.
    .init(
      #"<p data-text="cuont"></p>"#, #"data-text="cuont""#,
      #"the view state has no "cuont"; did you mean "count"?"#),
    .init(
      #"<p data-show="pickd?"></p>"#, #"data-show="pickd?""#,
      #"the view state has no "pickd"; did you mean "picked"?"#),
    .init(
      #"<p data-show="!draft.titel"></p>"#, #"data-show="!draft.titel""#,
      #"the view state has no "draft.titel"; did you mean "title"?"#),
    .init(
      #"<p data-text="picked.title"></p>"#, #"data-text="picked.title""#,
      #"the view state has no "picked.title"; if it is optional, write "picked.title?"."#),
    .init(
      #"<p data-text="picked?.title|title"></p>"#, #"data-text="picked?.title|title""#,
      #""picked?.title" has a question mark inside; write it at the end: "picked.title?"."#),
    .init(
      #"<p data-show="count > 0"></p>"#, #"data-show="count > 0""#,
      #""count > 0" is not a path; a path has names with dots in between, such as "draft.title" or "rows.0.name"."#
    ),
    .init(
      #"<p data-text="items[0].title"></p>"#, #"data-text="items[0].title""#,
      #""items[0].title" is not a path; a path has names with dots in between, such as "draft.title" or "rows.0.name"."#
    ),
    .init(
      #"<p data-text="title|titel"></p>"#, #"data-text="title|titel""#,
      #"the view state has no "titel"; did you mean "title"?"#),
    .init(
      #"<p data-text="count" data-format="nmber"></p>"#, #"data-format="nmber""#,
      #"there is no format "nmber"; did you mean "number"?"#),
    .init(
      #"<button data-on="click" data-lane="später" data-action='{"refresh":{}}'>a</button>"#,
      #"data-lane="später""#, "the name of a lane is at most 32 characters of ASCII."),
    .init(
      #"<p data-text="title"><b>Shop</b></p>"#, #"data-text="title""#,
      "the text replaces the elements inside; bind an element without any."),
    .init(
      #"<p data-value="title"></p>"#, #"data-value="title""#, "<p> has no value; use data-text."),
    .init(
      #"<a data-attr="onclick:title">a</a>"#, #"data-attr="onclick:title""#,
      "the event attribute onclick cannot be bound; write data-on=\"click\" and data-action."),
    .init(
      #"<a data-attr="style:title">a</a>"#, #"data-attr="style:title""#,
      "the attribute style cannot be bound; use data-class."),
    .init(#"<a data-attr="href">a</a>"#, #"data-attr="href""#, #""href" is not "name:path"."#),
    .init(
      #"<a data-class="big:cont">a</a>"#, #"data-class="big:cont""#,
      #"the view state has no "cont"; did you mean "count"?"#),
    // Lists.
    .init(
      #"<ul data-each="items"><template><li data-text="item.title"></li></template></ul>"#,
      #"data-each="items""#,
      "the list needs data-key, such as data-key=\"id\"; without it, rows lose their focus and their typed text when the list changes."
    ),
    .init(
      #"<ul data-each="items" data-key="id"></ul>"#, #"data-each="items""#,
      "the element needs a <template> directly inside it."),
    .init(
      #"<ul data-each="title" data-key="id"><template><li></li></template></ul>"#,
      #"data-each="title""#, "the value is a text, and data-each needs an array."),
    .init(
      #"<ul data-each="draft" data-key="id"><template><li></li></template></ul>"#,
      #"data-each="draft""#, "the value is an object, and data-each needs an array; use data-with."),
    .init(
      #"<ul data-each="itmes" data-key="id"><template><li></li></template></ul>"#,
      #"data-each="itmes""#, #"the view state has no "itmes"; did you mean "items"?"#),
    .init(
      #"<ul data-each="items" data-key="ID"><template><li></li></template></ul>"#,
      #"data-key="ID""#, #"a row of the list has no "ID"; did you mean "id"?"#),
    .init(
      #"<ul data-each="items" data-key="item.id"><template><li></li></template></ul>"#,
      #"data-key="item.id""#, "the key is a path inside the row; write data-key=\"id\"."),
    .init(
      #"<ul data-each="items" data-key="id"><template><li data-text="item.titel"></li></template></ul>"#,
      #"data-text="item.titel""#, #"a row of the list has no "item.titel"; did you mean "title"?"#),
    .init(
      #"<ul data-each="items" data-key="id"><template><li data-show="item.nte?"></li></template></ul>"#,
      #"data-show="item.nte?""#, #"a row of the list has no "item.nte"; did you mean "note"?"#),
    .init(
      #"<ul data-each="items" data-key="id"><template><li><b data-each="item.prts"><template><i data-text="item"></i></template></b></li></template></ul>"#,
      #"data-each="item.prts""#, #"a row of the list has no "item.prts"; did you mean "parts"?"#),
    .init(
      #"<p data-text="item.title"></p>"#, #"data-text="item.title""#,
      #""item.title" reads a row, but the element is not inside the template of a list."#),
    .init(
      #"<p data-key="id"></p>"#, #"data-key="id""#, "data-key needs data-each on the same element."),
    .init(
      #"<div><template><p data-text="title"></p></template></div>"#, "<template>",
      "only a template directly inside an element with data-each or data-with is shown."),
    // Events and actions.
    .init(
      #"<button data-on="click">a</button>"#, #"data-on="click""#,
      "data-on needs data-action on the same element."),
    .init(
      #"<button data-action='{"refresh":{}}'>a</button>"#, #"data-action="{"refresh":{}}""#,
      "the action needs data-on on the same element, such as data-on=\"click\"."),
    .init(
      #"<button data-on="clik" data-action='{"refresh":{}}'>a</button>"#, #"data-on="clik""#,
      #"there is no event "clik"; did you mean "click"?"#),
    .init(
      #"<button data-on="onclick" data-action='{"refresh":{}}'>a</button>"#,
      #"data-on="onclick""#, #"there is no event "onclick"; did you mean "click"?"#),
    .init(
      #"<input data-on="keydown" data-action='{"refresh":{}}'>"#, #"data-on="keydown""#,
      #"the event keydown needs a key, such as "keydown.Enter"."#),
    .init(
      #"<button data-on="submit" data-action='{"refresh":{}}'>a</button>"#, #"data-on="submit""#,
      "only a form has the event submit; move data-on and data-action to the form."),
    .init(
      #"<form><input name="a"><button>Go</button></form>"#, "<form>",
      "the form's button loads the page again; give the form data-on=\"submit\" and data-action, or give the button type=\"button\"."
    ),
    .init(
      #"<button data-on="click" data-action="{'refresh':{}}">a</button>"#,
      #"data-action="{'refresh':{}}""#,
      "the action is not JSON; write names and texts in double quotes."),
    .init(
      #"<button data-on="click" data-action="refresh">a</button>"#, #"data-action="refresh""#,
      #"the action is not JSON; write {"refresh":{}}."#),
    .init(
      #"<button data-on="click" data-action='{"refresh":{}'>a</button>"#,
      #"data-action="{"refresh":{}""#,
      "the action is not well-formed JSON; check its braces, commas and quotes."),
    .init(
      #"<button data-on="click" data-action='{"refesh":{}}'>a</button>"#,
      #"data-action="{"refesh":{}}""#,
      #"The action has the member "refesh", which is not a case of Action; did you mean "refresh"?"#
    ),
    .init(
      #"<button data-on="click" data-action='{"remove":{"ID":"a"}}'>a</button>"#,
      #"data-action="{"remove":{"ID":"a"}}""#, #"The member "id" is missing in "remove"."#),
    .init(
      #"<button data-on="click" data-action='{"create":{"title":"a","prize":1}}'>a</button>"#,
      #"data-action="{"create":{"title":"a","prize":1}}""#,
      #""create.prize" is not read by Action; did you mean "price"?"#),
    .init(
      #"<button data-on="click" data-action='{"add":{"_0":"1"}}'>a</button>"#,
      #"data-action="{"add":{"_0":"1"}}""#,
      #""add._0" has the wrong type: a value of type Int is needed."#),
    .init(
      #"<input data-on="input" data-action='{"edit":{"_0":{"titel":"$value"}}}'>"#,
      #"data-action="{"edit":{"_0":{"titel":"$value"}}}""#,
      #""edit._0.titel" cannot be used: No editable field has this name. The fields are: title, wantsNews."#
    ),
    .init(
      #"<input data-on="input" data-action='{"edit":{"_0":{"wantsNews":"$value"}}}'>"#,
      #"data-action="{"edit":{"_0":{"wantsNews":"$value"}}}""#,
      #""$value" is a text, but the action needs true or false."#),
    .init(
      #"<input data-on="change" data-action='{"add":{"_0":"$value"}}'>"#,
      #"data-action="{"add":{"_0":"$value"}}""#,
      #""$value" is a text, but the action needs a number. Give the control type="number"."#),
    .init(
      #"<button data-on="click" data-action='{"remove":{"id":"$itm.id"}}'>a</button>"#,
      #"data-action="{"remove":{"id":"$itm.id"}}""#,
      #"there is no placeholder "$itm.id"; did you mean "$item"?"#),
    .init(
      #"<button data-on="click" data-action='{"remove":{"id":"$item.id"}}'>a</button>"#,
      #"data-action="{"remove":{"id":"$item.id"}}""#,
      #""item.id" reads a row, but the element is not inside the template of a list."#),
    .init(
      #"<button data-on="click" data-action='{"remove":{"id":"$state.titel"}}'>a</button>"#,
      #"data-action="{"remove":{"id":"$state.titel"}}""#,
      #"the view state has no "titel"; did you mean "title"?"#),
    .init(
      #"<button data-on="click" data-action='{"remove":{"id":"$state.count"}}'>a</button>"#,
      #"data-action="{"remove":{"id":"$state.count"}}""#,
      #""$state.count" is a number, but the action needs a text."#),
    .init(
      #"<form data-on="submit" data-action='{"remove":{"id":"$form.nam"}}'><input name="name"></form>"#,
      #"data-action="{"remove":{"id":"$form.nam"}}""#,
      #"the form has no control with the name "nam"; did you mean "name"?"#),
    .init(
      #"<button data-on="click" data-action='{"remove":{"id":"$form.name"}}'>a</button>"#,
      #"data-action="{"remove":{"id":"$form.name"}}""#,
      #""$form.name" needs a form around the element."#),
    .init(
      #"<button data-on="click" data-action='{"remove":{"id":"$upload.id"}}'>a</button>"#,
      #"data-action="{"remove":{"id":"$upload.id"}}""#,
      #""$upload.id" needs data-upload on the same element."#),
    .init(
      #"<button data-on="click" data-confirm="Remove {titel}?" data-action='{"refresh":{}}'>a</button>"#,
      #"data-confirm="Remove {titel}?""#, #"the view state has no "titel"; did you mean "title"?"#),
    .init(
      #"<input data-on="input" data-debounce="300ms" data-action='{"remove":{"id":"$value"}}'>"#,
      #"data-debounce="300ms""#, #"data-debounce is a number of milliseconds, such as "300"."#),
    .init(
      #"<div data-draft=""></div>"#, "data-draft", "only a form can have drafts."),
    .init(
      #"<form data-draft='{"remove":{"id":"$form.name"}}' data-on="submit" data-action='{"refresh":{}}'><input name="name"></form>"#,
      #"data-draft="{"remove":{"id":"$form.name"}}""#,
      #""$form.name" has no value here; a draft can read $item and $state."#),
    // Uploads.
    .init(
      #"<input type="file" data-on="change" data-upload="/pictrues/1" data-action='{"remove":{"id":"$upload.id"}}'>"#,
      #"data-upload="/pictrues/1""#,
      "no route answers POST /pictrues/1; did you mean \"/pictures/:id\"?"),
    .init(
      #"<input type="file" data-on="change" data-upload="/files" data-action='{"remove":{"id":"$upload.id"}}'>"#,
      #"data-upload="/files""#, "the route /files does not answer POST."),
    .init(
      #"<input type="file" data-on="change" data-upload="/pictures/{titel}" data-action='{"remove":{"id":"$upload.id"}}'>"#,
      #"data-upload="/pictures/{titel}""#, #"the view state has no "titel"; did you mean "title"?"#),
    .init(
      #"<input data-on="change" data-upload="/pictures/1" data-action='{"remove":{"id":"$upload.id"}}'>"#,
      #"data-upload="/pictures/1""#, "only an input with type=\"file\" can upload a file."),
    // Ids.
    .init(
      #"<p id="a"></p><p id="a"></p>"#, #"id="a""#,
      "the id is used in line 4 too; an id must be unique."),
    .init(
      #"<label for="nam">Name</label><input id="name">"#, #"for="nam""#,
      #"there is no element with the id "nam"; did you mean "name"?"#),
    .init(
      #"<ul data-each="items" data-key="id"><template><li id="row"></li></template></ul>"#,
      #"id="row""#,
      "each row of the list \"items\" would have this id; write data-attr=\"id:item.…\"."),
  ]

  @Test(arguments: mistakes)
  func `a mistake in a page is reported with its line and the fix`(_ mistake: Mistake) async throws
  {
    #expect(
      try await Self.problems(mistake.html) == ["shop.html:4: \(mistake.subject): \(mistake.text)"])
  }

  @Test func `a page without mistakes has no problems`() async throws {
    let html = """
      <p data-text="count" data-format="number" data-copy data-test="a" data-width="3"></p>
      <p data-text="picked.title?" data-show="picked?" data-class="big:count; small:!count"></p>
      <p data-text="picked.title|title"></p><p data-text="names.tea?"></p>
      <ul data-each="items" data-key="id"><template><li data-attr="id:item.id; title:item.note?">
        <b data-text="item.title"></b>
        <i data-each="item.parts"><template><s data-text="item"></s></template></i>
        <input type="file" data-on="change" data-upload="/pictures/{item.id}"
          data-action='{"remove":{"id":"$upload.id"}}'>
        <button data-on="click" data-confirm="Remove {item.title}?"
          data-action='{"remove":{"id":"$item.id"}}'>&times;</button></li></template></ul>
      <div data-with="picked"><template><p data-text="item.title"></p></template></div>
      <form data-on="submit" data-reset data-draft="" data-action='{"create":
        {"title":"$form.title","price":"$form.price"}}'>
        <label for="title">Title</label><input id="title" name="title">
        <input name="price" type="number"><button>Create</button></form>
      <form><input name="when" data-type="instant" type="datetime-local" data-on="change"
        data-action='{"pick":{"_0":"$value"}}'></form>
      <input data-on="keydown.Enter input" data-value="draft.title" data-debounce="300"
        data-action='{"edit":{"_0":{"title":"$value"}}}'>
      <input type="checkbox" data-on="change" data-action='{"edit":{"_0":{"wantsNews":"$checked"}}}'>
      <script type="module" src="/a.js">if (1 < 2) { "<p data-txt='x'>" }</script>
      <!-- <p data-txt="x"></p> -->
      """
    #expect(try await Self.problems(html) == [])
  }

  /// A page whose view state can only be encoded.
  private struct Notes: Interactor {
    struct Row: Encodable, Equatable, Identifiable, Sendable {
      var id: Int
      var text: String
      var tag: String?
    }

    struct State: Encodable, Equatable, Sendable {
      var rows: [Row] = []
      var note: String?
    }

    enum Action: Codable, Sendable { case add }

    var rows: [Row] = []

    var body: some InteractorOf<Self> {
      Interact(initialValue: State(rows: rows)) { state, _ in
        state.rows.append(Row(id: state.rows.count + 1, text: "a"))
        return .state
      }
    }
  }

  private static let rows = """
    <p data-text="note?"></p>
    <ul data-each="rows" data-key="id"><template><li><b data-text="item.txt"></b>
    <i data-text="item.tag?"></i></li></template></ul>
    """

  @Test func `paths in rows are checked as soon as a list has rows`() async throws {
    let server = WebServer(configuration: .init(port: 0))
    server.page("/", try Self.page(Self.rows)) { _ in ViewModel(Notes()) }
    let page = try await PageTestClient(server)
    #expect(try await page.problems == [])
    try await page.send(Notes.Action.add)
    #expect(
      try await page.problems == [
        #"shop.html:5: data-text="item.txt": a row of the list has no "item.txt"; did you mean "text"?"#
      ])
  }

  @Test func `two rows with one key are reported`() async throws {
    let server = WebServer(configuration: .init(port: 0))
    let rows = [Notes.Row(id: 7, text: "a"), Notes.Row(id: 7, text: "b")]
    let html = #"<ul data-each="rows" data-key="id"><template><li></li></template></ul>"#
    server.page("/", try Self.page(html)) { _ in ViewModel(Notes(rows: rows)) }
    #expect(
      try await PageTestClient(server).problems == [
        #"shop.html:4: data-key="id": two rows of the list have the key "7"."#
      ])
  }

  @Test func `a server without the check reports no mistake`() async throws {
    let errors = Log<String>()
    var configuration = WebServerConfiguration.patient
    configuration.reportError = { errors.append("\($0)") }
    let server = WebServer(configuration: configuration)
    server.page("/", try Self.page(#"<b data-on="clik" data-text="cuont">a</b>"#)) { _ in
      ViewModel(Notes())
    }
    let page = try await PageTestClient(server)
    #expect(errors.all == [])
    #expect(try await !page.problems.isEmpty)
  }

  @Test func `a server in development reports mistakes at its start, and paths with first values`()
    async throws
  {
    let errors = Log<String>()
    var configuration = WebServerConfiguration.patient
    // Other tests of this process reserve most of its open files.
    configuration.reportError = { if !($0 is TooFewOpenFiles) { errors.append("\($0)") } }
    configuration.pageCheck = .bindings
    let server = WebServer(configuration: configuration)
    let html = Self.rows + #"<button data-on="clik" data-action='{"add":{}}'>a</button>"#
    for path in ["/", "/again"] {
      server.page(path, try Self.page(html)) { session in
        ViewModel(Notes(rows: session.path == "/" ? [] : [Notes.Row(id: 1, text: "a")]))
      }
    }
    let template = try Self.page(html)
    for path in ["/one", "/two"] {
      server.page(path, template) { _ in ViewModel(Notes()) }
    }
    let address = try await server.start()
    // Three files, one of them on two pages.
    let atStart = #"shop.html:6: data-on="clik": there is no event "clik"; did you mean "click"?"#
    #expect(errors.all == [atStart, atStart, atStart])
    _ = try await Tab(Client(address))
    #expect(errors.all.count == 3)
    for _ in 0..<2 { _ = try await Tab(Client(address), path: "/again") }
    #expect(errors.all.count == 4)
    #expect(errors.all.last?.hasPrefix(#"shop.html:5: data-text="item.txt": a row"#) == true)
    await server.stop()
  }

  @Test func `a server that another server calls reports mistakes once, at its first request`()
    async throws
  {
    let errors = Log<String>()
    var configuration = WebServerConfiguration.patient
    configuration.reportError = { errors.append("\($0)") }
    configuration.pageCheck = .bindings
    let server = WebServer(configuration: configuration)
    server.page("/", try Self.page(#"<b data-on="clik" data-action='{"add":{}}'>a</b>"#)) { _ in
      ViewModel(Notes())
    }
    for _ in 0..<2 { _ = await server.respond(to: Request(.get, "/nowhere")) }
    #expect(errors.all.count == 1)
    #expect(errors.all.first?.hasPrefix(#"shop.html:4: data-on="clik""#) == true)
  }

  @Test func `a page without a name is reported with the place of its template`() async throws {
    let server = WebServer(configuration: .init(port: 0))
    let template = try PageTemplate("<head><!-- causeway --></head>\n<p data-txt=\"a\">")
    server.page("/", template) { _ in ViewModel(Notes()) }
    let problem = try #require(try await PageTestClient(server).problems.first)
    #expect(problem.hasPrefix("CausewayWebTests/BindingProblemTests.swift:\(#line - 3), line 2 of"))
  }
}
