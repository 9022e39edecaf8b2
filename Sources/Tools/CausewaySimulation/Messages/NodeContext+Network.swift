public import CausewayNetwork

extension NodeContext {
  /// Returns the network service with which this node sends requests to another node.
  public func network(
    to server: NodeID, coding: JSONCoding = .standard
  ) -> SimulatedNetworkService {
    SimulatedNetworkService(coding: coding, client: id, server: server)
  }
}
