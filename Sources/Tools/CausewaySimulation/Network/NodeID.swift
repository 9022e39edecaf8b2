/// Identifies a node of a simulated world.
public struct NodeID: Hashable, Sendable {
  let index: Int
}
