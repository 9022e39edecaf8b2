import Causeway
import Testing

@MainActor
struct LargeTests {
  private let model = ViewModel(Large(), onError: { Issue.record("\($0)") })

  @Test func `every child of a large body receives its actions, and its effects reach it`() async {
    model.send(.left(.add(1)))
    model.send(.right(.add(2)))
    model.send(.top(.add(3)))
    model.send(.bottom(.add(4)))
    model.send(.card(.add(5)))
    model.send(.sheet(.row(2, .add(6))))
    model.send(.row(1, .add(7)))
    await model.send(
      .item(2, .run { _ in .perform { send in await send { $0.numbers.append(8) } } })
    ).finish()
    let page = model.page
    #expect(page.left.numbers == [1])
    #expect(page.right.numbers == [2])
    #expect(page.top.numbers == [3])
    #expect(page.bottom.numbers == [4])
    #expect(page.card?.numbers == [5])
    #expect(page.sheet?.rows[id: 2]?.numbers == [6])
    #expect(page.rows[id: 1]?.numbers == [7])
    #expect(page.items[id: 2]?.numbers == [8])
  }

  @Test func `changes in a large body are observed`() async {
    model.send(.rename("a"))
    model.send(.increment(7))
    model.send(.decrement(2))
    await model.send(.reload).finish()
    #expect(model.page.text == "rename a")
    #expect(model.page.changes == ["rename a", "7", "5"])
    #expect(model.page.flags == ["refreshed", "start", "pin"])
    model.send(.increment(100))
    #expect(model.page.flags.contains("reset"))
  }

  @Test func `a different case is a different child`() {
    model.send(.close)
    model.send(.closed(.add(1)))
    #expect(model.viewState == .closed(Leaf.State(id: 9, numbers: [1])))
  }
}
