// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.

public import Foundation

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
  public init(_ titleKey: LocalizedStringKey, text: Binding<String>, axis: Axis)
  where Label == Text {}
}

public struct Button<Label: View>: Primitive {
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
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
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) where Label == Text {}
  public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) where Label == Text {}
}

public struct Stepper<Label: View>: Primitive {
  public init<V: Strideable>(
    _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>,
    step: V.Stride = 1, onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where Label == Text {}
}

public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: Primitive {
  public init(
    _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>,
    @ViewBuilder content: () -> Content
  ) where Label == Text {}
}

public struct ProgressView<Label: View, CurrentValueLabel: View>: Primitive {
  public init() where Label == EmptyView, CurrentValueLabel == EmptyView {}
  public init(_ titleKey: LocalizedStringKey) where Label == Text, CurrentValueLabel == EmptyView {}
  public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0)
  where Label == EmptyView, CurrentValueLabel == EmptyView {}
}

public struct Image: Equatable, Sendable, Primitive {
  public enum Orientation: UInt8, CaseIterable, Hashable, Sendable {
    case up
    case upMirrored
    case down
    case downMirrored
    case left
    case leftMirrored
    case right
    case rightMirrored
  }

  public enum ResizingMode: Sendable {
    case tile
    case stretch
  }

  public init(systemName: String) {}

  public func resizable(
    capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch
  ) -> Image { self }
}

public struct Label<Title: View, Icon: View>: Primitive {
  public init(_ titleKey: LocalizedStringKey, systemImage name: String)
  where Title == Text, Icon == Image {}
}

public struct LabeledContent<Label: View, Content: View>: Primitive {
  @_disfavoredOverload
  public init<S1: StringProtocol, S2: StringProtocol>(_ title: S1, value: S2)
  where Label == Text, Content == Text {}
  public init<S: StringProtocol>(_ titleKey: LocalizedStringKey, value: S)
  where Label == Text, Content == Text {}
}

public struct SecureField<Label: View>: Primitive {
  public init(_ titleKey: LocalizedStringKey, text: Binding<String>) where Label == Text {}
}

public struct Spacer: Primitive {
  public init(minLength: CGFloat? = nil) {}
}

extension WindowGroup: Scene {}
extension Text: View {}
extension TextField: View {}
extension Button: View {}
extension Toggle: View {}
extension Stepper: View {}
extension Picker: View {}
extension ProgressView: View {}
extension Image: View {}
extension Label: View {}
extension LabeledContent: View {}
extension SecureField: View {}
extension Spacer: View {}
