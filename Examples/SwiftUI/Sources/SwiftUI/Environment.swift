// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.

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

  public var wrappedValue: Value { declaredOnly() }
}
