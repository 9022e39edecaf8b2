// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {}
}

public struct ButtonRole: Equatable, Sendable {
  public static let cancel = ButtonRole()
  public static let destructive = ButtonRole()
}

public struct WindowGroup<Content: View>: Primitive {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder makeContent: @escaping () -> Content) {}
}

public struct Text: Equatable, Sendable, Primitive {
  @_disfavoredOverload
  public init<S: StringProtocol>(_ content: S) {}
  public init(_ key: LocalizedStringKey) {}
}

public struct TextField<Label: View>: Primitive {
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, text: Binding<String>) where Label == Text {}
  public init(_ titleKey: LocalizedStringKey, text: Binding<String>) where Label == Text {}
}

public struct Button<Label: View>: Primitive {
  @_disfavoredOverload
  public init<S: StringProtocol>(
    _ title: S, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
  ) where Label == Text {}
  public init(
    _ titleKey: LocalizedStringKey, role: ButtonRole? = nil,
    action: @escaping @MainActor () -> Void
  ) where Label == Text {}
}

public struct Toggle<Label: View>: Primitive {
  public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) where Label == Text {}
}

public struct ProgressView<Label: View>: Primitive {
  public init(_ titleKey: LocalizedStringKey) where Label == Text {}
}

public struct Spacer: Primitive {
  public init(minLength: Double? = nil) {}
}

extension WindowGroup: Scene {}
extension Text: View {}
extension TextField: View {}
extension Button: View {}
extension Toggle: View {}
extension ProgressView: View {}
extension Spacer: View {}
