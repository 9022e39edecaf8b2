import Causeway
import CausewayTesting
import Foundation
import Testing

/// Edits of fields without an action for each field.
@MainActor @Suite(.timeLimit(.minutes(10))) struct EditingTests {
  struct Profile: Interactor {
    struct State: EditableState, Equatable {
      var name = ""
      var wantsNews = false
      var street: String?
      var isSaving = false
      var log: [String] = []

      static let editableFields = [
        EditableField<State>("name", \.name), EditableField("wantsNews", \.wantsNews),
        EditableField("street", \.street),
      ]
    }

    enum Action: Equatable, Sendable, Codable {
      case edit(FieldEdit<State>)
      case suggest(String)

      var edit: FieldEdit<State>? { if case .edit(let edit) = self { edit } else { nil } }
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { state, action in
        switch action {
        case .edit(let edit):
          if let name = edit.value(of: \.name) { state.log.append("\(name) = \(state.name)") }
          return .state
        case .suggest(let name):
          return .perform { send in await send(.edit(.set(\.name, to: name))) }
        }
      }
      .editing(action: \.edit)
      .onChange(of: \.wantsNews) { state, wantsNews in
        state.log.append("news \(wantsNews)")
        return .state
      }
    }
  }

  /// A form that is a part of the state of its feature.
  struct Order: Interactor {
    struct Form: EditableState, Equatable {
      var amount = 0
      static let editableFields = [EditableField<Form>("amount", \.amount)]
    }

    struct State: Equatable, Sendable {
      var form = Form()
    }

    enum Action: Sendable {
      case form(FieldEdit<Form>)

      var form: FieldEdit<Form>? { if case .form(let edit) = self { edit } else { nil } }
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()).editing(\.form, action: \.form)
    }
  }

  @Test func `an edit changes its field before the handler runs, and onChange sees it`() async {
    let model = TestModel(Profile())
    await model.send(.edit(.set(\.name, to: "Ada"))) {
      $0.name = "Ada"
      $0.log = ["Ada = Ada"]
    }
    await model.send(.edit(.set(\.wantsNews, to: true))) {
      $0.wantsNews = true
      $0.log.append("news true")
    }
    await model.finish()
  }

  @Test func `an effect edits a field, and the test receives the edit`() async {
    let model = TestModel(Profile())
    await model.send(.suggest("Ben"))
    await model.receive(\.edit, .set(\.name, to: "Ben")) {
      $0.name = "Ben"
      $0.log = ["Ben = Ben"]
    }
    await model.finish()
  }

  @Test func `a part of the state is edited`() async {
    let model = TestModel(Order())
    await model.send(.form(.set(\.amount, to: 3))) { $0.form.amount = 3 }
    await model.finish()
  }

  @Test func `an edit of a field that is not editable changes nothing and is a failure`() async {
    let failures = Failures()
    let model = TestModel(Profile(), reporter: failures.reporter)
    await model.send(.edit(.set(\.isSaving, to: true)))
    #expect(failures.all.count == 1)
    #expect(failures.all.first?.contains("this field is not editable") == true)
    #expect(model.state == Profile.State())
    await model.finish()
  }

  struct Twins: Interactor {
    struct State: EditableState, Equatable {
      var first = 0
      var second = 0
      static let editableFields = [
        EditableField<State>("number", \.first), EditableField("number", \.second),
      ]
    }

    enum Action: Sendable {
      case edit(FieldEdit<State>)

      var edit: FieldEdit<State>? { if case .edit(let edit) = self { edit } else { nil } }
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()).editing(action: \.edit)
    }
  }

  @Test func `two fields with the same name are a failure`() async {
    let failures = Failures()
    let model = TestModel(Twins(), reporter: failures.reporter)
    await model.send(.edit(.set(\.second, to: 3))) { $0.second = 3 }
    await model.send(.edit(.set(\.second, to: 4))) { $0.second = 4 }
    #expect(failures.all.count == 1)
    #expect(failures.all.first?.contains("Two editable fields have the name number") == true)
    await model.finish()
  }

  @Test func `only the view that read the field is invalidated`() {
    let model = ViewModel(Profile())
    let (names, news) = (Invalidations(), Invalidations())
    names.observe { model.name }
    news.observe { model.wantsNews }
    model.send(.edit(.set(\.name, to: "Ada")))
    #expect(names.count == 1)
    #expect(news.count == 0)
  }

  @Test func `edits are equal if they set the same field to equal values`() {
    typealias Edit = FieldEdit<Profile.State>
    #expect(Edit.set(\.name, to: "Ada") == .set(\.name, to: "Ada"))
    #expect(Edit.set(\.name, to: "Ada") != .set(\.name, to: "Ben"))
    #expect(Edit.set(\.wantsNews, to: true) != .set(\.isSaving, to: true))
    #expect(Edit.set(\.name, to: "Ada").description == "name: \"Ada\"")
    #expect(Edit.set(\.name, to: "Ada").value(of: \.wantsNews) == nil)
  }

  @Test(arguments: [
    (#"{"edit":{"_0":{"name":"Ada"}}}"#, FieldEdit<Profile.State>.set(\.name, to: "Ada")),
    (#"{"edit":{"_0":{"wantsNews":true}}}"#, .set(\.wantsNews, to: true)),
    (#"{"edit":{"_0":{"street":null}}}"#, .set(\.street, to: nil)),
  ])
  func `a page sends an edit as the name of the field and its value`(
    json: String, edit: FieldEdit<Profile.State>
  ) throws {
    let action = try JSONDecoder().decode(Profile.Action.self, from: Data(json.utf8))
    #expect(action == .edit(edit))
    let encoded = try JSONEncoder().encode(action)
    #expect(try JSONDecoder().decode(Profile.Action.self, from: encoded) == action)
  }

  @Test(arguments: [
    (#"{"isSaving":true}"#, "name, wantsNews, street"), (#"{"name":7}"#, "name"),
    (#"{"name":"a","street":"b"}"#, "one member"), ("{}", "one member"),
  ])
  func `a decoded edit must name an editable field and have its type`(json: String, text: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(FieldEdit<Profile.State>.self, from: Data(json.utf8))
    }
    #expect(error.map { "\($0)".contains(text) } == true)
  }
}
