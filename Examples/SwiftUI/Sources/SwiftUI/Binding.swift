// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.

// In Apple's interface, the closures inherit the caller's isolation. Apple's documentation does not
// show that attribute.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  @preconcurrency
  public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}

  @preconcurrency
  public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void
  ) {}

  public var wrappedValue: Value {
    get { declaredOnly() }
    nonmutating set {}
  }

  public var projectedValue: Binding<Value> { self }

  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> { declaredOnly() }
}

extension Binding: Sendable where Value: Sendable {}

public protocol DynamicProperty {}

@propertyWrapper
public struct State<Value>: DynamicProperty {
  public init(wrappedValue value: Value) {}

  public var wrappedValue: Value {
    get { declaredOnly() }
    nonmutating set {}
  }

  public var projectedValue: Binding<Value> { declaredOnly() }
}

extension State: Sendable where Value: Sendable {}

extension State where Value: ExpressibleByNilLiteral {
  public init() {}
}
