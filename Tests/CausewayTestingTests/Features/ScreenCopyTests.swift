import Causeway
import Testing

/// An action of a screen changes the screen in place.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ScreenCopyTests {
  struct Page: Identifiable, Sendable {
    let id: Int
    var numbers = Array(0..<1_000)
    /// The addresses of the numbers after each action.
    var addresses: [Int] = []
  }

  struct Book: Interactor {
    struct State: Sendable {
      var path = ScreenPath([Page(id: 1), Page(id: 2)])
    }

    enum Action: Sendable {
      case path(PathAction<Page, Int>)

      var path: PathAction<Page, Int>? { if case .path(let action) = self { action } else { nil } }
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State())
        .screens(\.path, action: \.path, embed: Action.path) {
          Interact<Page, Int>(initialValue: Page(id: 0)) { page, number in
            page.numbers[0] = number
            page.addresses.append(
              page.numbers.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
            return .state
          }
        }
    }
  }

  @Test func `an array in a screen is changed without a copy`() {
    let model = ViewModel(Book())
    for number in 1...4 { model.send(.path(.screen(ScreenID(2), number))) }
    let addresses = model.viewState.path[id: ScreenID(2)]?.addresses ?? []
    #expect(addresses.count == 4)
    // The first change copies the array of the initial value.
    #expect(Set(addresses).count == 1)
  }

  @Test(arguments: [1, 2, 3])
  func `an array in a screen is changed through the subscript without a copy`(count: Int) {
    var path = ScreenPath((1...count).map { Page(id: $0, numbers: Array(0..<(100 * $0))) })
    func address(_ id: ScreenID<Int>) -> UnsafePointer<Int>? {
      path[id: id]?.numbers.withUnsafeBufferPointer { $0.baseAddress }
    }
    for id in path.ids {
      let before = address(id)
      path[id: id]?.numbers[0] = 7
      #expect(address(id) == before)
      #expect(path[id: id]?.numbers[0] == 7)
    }
    path[id: ScreenID(9)] = Page(id: 9)
    #expect(path.count == count, "a screen that is not in the path is not added")
    path[id: ScreenID(1)] = nil
    #expect(path.count == count - 1)
  }
}
