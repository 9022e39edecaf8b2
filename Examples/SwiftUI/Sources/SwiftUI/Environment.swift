// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.

public import Observation

public enum ScenePhase: Comparable, Hashable, Sendable {
  case background
  case inactive
  case active
}

public struct EnvironmentValues {
  public var scenePhase: ScenePhase { declaredOnly() }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {}

  public var wrappedValue: Value { declaredOnly() }
}

extension View {
  nonisolated public func environment<T: AnyObject & Observable>(
    _ object: T?
  ) -> some View { self }
}
