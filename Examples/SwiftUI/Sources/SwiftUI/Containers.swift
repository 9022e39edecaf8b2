// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.

public import Foundation

public struct HorizontalAlignment: Equatable, Sendable {
  public static let leading = HorizontalAlignment()
  public static let center = HorizontalAlignment()
}

public struct VerticalAlignment: Equatable, Sendable {
  public static let center = VerticalAlignment()
}

public struct Alignment: Equatable, Sendable {
  public static let center = Alignment()
  public static let leading = Alignment()
}

public enum Axis: Int8, CaseIterable, Sendable {
  case horizontal
  case vertical
}

public struct HStack<Content: View>: Primitive {
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {}
}

public struct VStack<Content: View>: Primitive {
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {}
}

public struct ZStack<Content: View>: Primitive {
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {}
}

public struct Form<Content: View>: Primitive {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct List<SelectionValue: Hashable, Content: View>: Primitive {
  public init(@ViewBuilder content: () -> Content) where SelectionValue == Never {}

  public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {}

  public init<Data: RandomAccessCollection, RowContent: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  )
  where
    Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable,
    SelectionValue == Never
  {}

  public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  ) where Content == ForEach<Data, ID, RowContent>, SelectionValue == Never {}
}

public struct TabView<SelectionValue: Hashable, Content: View>: Primitive {
  public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {}
}

public struct NavigationPath {}

public struct NavigationStack<Data, Root: View>: Primitive {
  public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {}

  public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
  where
    Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection,
    Data.Element: Hashable
  {}
}

public struct NavigationLink<Label: View, Destination: View>: Primitive {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination)
  where Label == Text {}
}

public struct UnitPoint: Hashable, Sendable {
  public static let center = UnitPoint()
}

public struct ScrollViewProxy {
  public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {}
}

public struct ScrollViewReader<Content: View>: Primitive {
  public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) {}
}

public struct Section<Parent: View, Content: View, Footer: View>: Primitive {
  public init(@ViewBuilder content: () -> Content)
  where Parent == EmptyView, Footer == EmptyView {}

  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content)
  where Parent == Text, Footer == EmptyView {}

  public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent)
  where Footer == EmptyView {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content>: Primitive {
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) where Content: View {}

  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {}
}

extension HStack: View {}
extension VStack: View {}
extension ZStack: View {}
extension Form: View {}
extension List: View {}
extension TabView: View {}
extension NavigationStack: View {}
extension NavigationLink: View {}
extension ScrollViewReader: View {}
extension Section: View {}
extension ForEach: View where Content: View {}
