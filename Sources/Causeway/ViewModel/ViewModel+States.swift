extension ViewModel where ViewState: Sendable {
  /// The view states from now on, for one consumer; each read makes a stream of its own.
  ///
  /// The first element is the present view state, at once. A consumer that is slower than the
  /// changes gets the latest. The stream ends with the view model.
  public var states: AsyncStream<ViewState> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ViewState.self, bufferingPolicy: .bufferingNewest(1))
    let source = self.source
    continuation.yield(source.value)
    source.observation.subscribe(continuation) { source.value }
    return stream
  }
}
