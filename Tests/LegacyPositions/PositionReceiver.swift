import Foundation

/// A position at sea.
///
/// Like many older classes, it does not declare `Sendable` conformance.
public class Position {
  /// Degrees north.
  public var latitude: Double
  /// Degrees east.
  public var longitude: Double

  /// Makes a position.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Receives positions on the receiver's thread.
public protocol PositionReceiverDelegate: AnyObject {
  /// Called with each new position.
  func receiver(_ receiver: PositionReceiver, didReceive position: Position)
}

/// Calls its delegate and its callbacks on its own thread.
public class PositionReceiver {
  /// The delegate, which receives every position.
  public weak var delegate: (any PositionReceiverDelegate)?

  /// Makes a receiver without a delegate.
  public init() {}

  /// Sends the delegate a position, on another thread.
  public func simulate(latitude: Double, longitude: Double) {
    Thread {
      self.delegate?.receiver(self, didReceive: Position(latitude: latitude, longitude: longitude))
    }.start()
  }

  /// Calls back with the current position, on another thread.
  public func current(_ callback: @escaping (Position) -> Void) {
    Thread { callback(Position(latitude: 54.4, longitude: 10.2)) }.start()
  }
}
