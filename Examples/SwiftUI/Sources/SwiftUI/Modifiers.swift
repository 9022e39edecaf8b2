// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.

public import Foundation

public struct Font: Hashable, Sendable {
  public static let headline = Font()
  public static let caption = Font()
}

public protocol ShapeStyle: Sendable {}

public struct Color: Hashable, Sendable, ShapeStyle {}

extension ShapeStyle where Self == Color {
  public static var red: Color { Color() }
}

/// Apple's type has a static member with the same name on `ShapeStyle`.
public struct HierarchicalShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
  public static var quaternary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}

public struct EdgeInsets: Equatable, Sendable {
  public init() {}
}

public struct FillStyle: Equatable, Sendable {
  public init(eoFill: Bool = false, antialiased: Bool = true) {}
}

/// The requirements of this protocol are left out.
public protocol Animatable {}

/// The requirements of this protocol are left out.
public protocol Shape: Sendable, Animatable, View {}

public protocol InsettableShape: Shape {}

public struct Circle: Primitive {
  public init() {}
}

public struct Rectangle: Primitive {
  public init() {}
}

extension Circle: InsettableShape {}
extension Rectangle: InsettableShape {}

public struct SubmitTriggers: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let text = SubmitTriggers(rawValue: 1)
  public static let search = SubmitTriggers(rawValue: 2)
}

public enum Visibility: Hashable, Sendable {
  case automatic
  case visible
  case hidden
}

extension View {
  nonisolated public func font(_ font: Font?) -> some View { self }

  nonisolated public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { self }

  nonisolated public func autocorrectionDisabled(_ disable: Bool = true) -> some View { self }

  nonisolated public func disabled(_ disabled: Bool) -> some View { self }

  nonisolated public func frame(
    width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View { self }

  nonisolated public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
    alignment: Alignment = .center
  ) -> some View { self }

  nonisolated public func scaledToFill() -> some View { self }

  nonisolated public func clipShape<S: Shape>(
    _ shape: S, style: FillStyle = FillStyle()
  ) -> some View { self }

  nonisolated public func contentShape<S: Shape>(
    _ shape: S, eoFill: Bool = false
  ) -> some View { self }

  nonisolated public func background<S: ShapeStyle, T: InsettableShape>(
    _ style: S, in shape: T, fillStyle: FillStyle = FillStyle()
  ) -> some View { self }

  nonisolated public func accessibilityHidden(_ hidden: Bool) -> some View { self }

  nonisolated public func accessibilityLabel(_ label: Text) -> some View { self }

  nonisolated public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View { self }

  nonisolated public func tag<V: Hashable>(
    _ tag: V, includeOptional: Bool = true
  ) -> some View { self }

  nonisolated public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { self }

  @_disfavoredOverload
  nonisolated public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }

  nonisolated public func navigationBarBackButtonHidden(
    _ hidesBackButton: Bool = true
  ) -> some View { self }

  nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }

  nonisolated public func overlay<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View { self }

  nonisolated public func toolbar<Content: View>(
    @ViewBuilder content: () -> Content
  ) -> some View { self }

  nonisolated public func sheet<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping () -> Content
  ) -> some View { self }

  nonisolated public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View { self }

  nonisolated public func navigationDestination<D: Hashable, C: View>(
    item: Binding<D?>, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View { self }

  nonisolated public func navigationDestination<D: Hashable, C: View>(
    for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View { self }

  nonisolated public func alert<A: View, M: View, T>(
    _ title: Text, isPresented: Binding<Bool>, presenting data: T?,
    @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
  ) -> some View { self }

  nonisolated public func confirmationDialog<A: View, M: View, T>(
    _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
    presenting data: T?, @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
  ) -> some View { self }

  nonisolated public func onSubmit(
    of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void
  ) -> some View { self }

  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }

  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View { self }

  nonisolated public func refreshable(
    action: @escaping @Sendable () async -> Void
  ) -> some View { self }

  nonisolated public func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { self }

  nonisolated public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { self }
}
