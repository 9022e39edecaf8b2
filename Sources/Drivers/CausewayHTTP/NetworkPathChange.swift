#if canImport(Network)
  import Network

  /// Returns when the system has found another path to the network, or the task is cancelled.
  ///
  /// The path does not prove that the server can be reached, but it is a reason to try.
  func nextNetworkPath() async {
    // The first value is the current path.
    for await path in NWPathMonitor().dropFirst() where path.status == .satisfied { return }
  }
#endif
