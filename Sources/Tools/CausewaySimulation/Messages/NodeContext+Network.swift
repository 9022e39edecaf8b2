public import CausewayNetwork

extension NodeContext {
  /// Returns the network service with which this node sends requests to another node.
  ///
  /// The faults of the world decide how long each message takes, which messages are lost, and which
  /// requests arrive twice. A request to a node that is down fails. The service never retries.
  public func network(
    to server: NodeID, coding: JSONCoding = .standard
  ) -> some NetworkService {
    SimulatedNetworkService(coding: coding, client: id, server: server)
  }
}
