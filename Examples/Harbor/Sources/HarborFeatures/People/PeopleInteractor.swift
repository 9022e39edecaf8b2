public import Causeway
public import HarborDomain

/// The people of a group and their pictures.
///
/// Each person is a row with its own state.
public struct PeopleInteractor: Interactor {
  /// The state of the list.
  public struct State: Sendable, Equatable {
    /// The people who host or join activities, by name.
    public internal(set) var rows = IdentifiedArray<String, PersonInteractor.State>()
    /// The number of activities of each person.
    var counts: [PersonName: Int] = [:]
    var pictures: [String: PersonRecord] = [:]
    /// The reason why the list cannot be read.
    public internal(set) var problem: String?

    /// An empty list.
    public init() {}

    /// Adds new people, removes people without activities and pictures, and keeps the other rows.
    mutating func arrange() {
      let names = Set(counts.keys).union(pictures.values.map { PersonName(stored: $0.name) })
      let old = rows
      rows = IdentifiedArray(
        uniqueElements: names.sorted { $0.key < $1.key }.map { name in
          var row = old[id: name.key] ?? PersonInteractor.State(name: name)
          row.picture = pictures[name.key]?.picture
          row.count = counts[name] ?? 0
          return row
        })
    }
  }

  /// The actions of the list.
  public enum Action: Sendable, Equatable {
    /// Follows the people and their activities.
    case appear
    /// An action of one person's row.
    case person(String, PersonInteractor.Action)

    var person: (String, PersonInteractor.Action)? {
      if case .person(let id, let action) = self { (id, action) } else { nil }
    }
  }

  private let people: any PeopleRepositoryProtocol

  /// Makes the list of a group.
  public init(people: any PeopleRepositoryProtocol) { self.people = people }

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { [people] state, action in
      guard case .appear = action else { return .state }
      state.problem = nil
      return .merge(
        .observe(people.counts(), id: "counts") { state, counts in
          state.counts = counts
          state.arrange()
        } catch: { state, error in
          state.problem = Sentence.of(error)
        },
        .perform(.latest, id: "people") { send in
          for try await list in people.people() {
            await send { state in
              state.pictures = Dictionary(list.map { ($0.id, $0) }) { first, _ in first }
              state.arrange()
            }
            await people.prefetch(list)
          }
        } catch: { state, error in
          state.problem = Sentence.of(error)
        })
    }
    .forEach(\.rows, action: \.person, embed: Action.person) { PersonInteractor(people: people) }
  }
}

/// One person in the list.
public struct PersonInteractor: Interactor {
  /// The state of a person.
  public struct State: Identifiable, Sendable, Equatable {
    /// The name.
    public let name: PersonName
    /// The id of the picture.
    public internal(set) var picture: String?
    /// The number of activities.
    public internal(set) var count = 0
    /// Whether a new picture is being stored.
    public internal(set) var isSaving = false
    /// The reason why the last picture was not stored.
    public internal(set) var problem: String?

    /// The key of the name.
    public var id: String { name.key }

    init(name: PersonName) { self.name = name }
  }

  /// The actions of a person.
  public enum Action: Sendable, Equatable {
    /// Sets a picture that was chosen, or removes it.
    case setPicture(String?)
  }

  let people: any PeopleRepositoryProtocol

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    Interact { [people] state, action in
      switch action {
      case .setPicture(let picture):
        state.isSaving = true
        state.problem = nil
        return .perform(.serial, id: "picture") { [name = state.name] send in
          try await people.setPicture(picture, of: name)
          await send { $0.isSaving = false }
        } catch: { state, error in
          state.isSaving = false
          state.problem = Sentence.of(error)
        }
      }
    }
  }
}
