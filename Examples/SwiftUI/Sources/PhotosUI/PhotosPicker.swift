// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.

public import SwiftUI

public struct PhotosPickerItem: Equatable, Hashable, Sendable {
  public struct EncodingDisambiguationPolicy: Equatable, Hashable, Sendable {
    public static let automatic = EncodingDisambiguationPolicy()
  }

  public func loadTransferable<T: Transferable>(type: T.Type) async throws -> T? {
    fatalError("On this system, PhotosUI has declarations only, for compiling views.")
  }
}

public struct PHPickerFilter: Equatable, Hashable, Sendable {
  public static let images = PHPickerFilter()
}

public struct PhotosPicker<Label: View>: View {
  public init(
    selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil,
    preferredItemEncoding: PhotosPickerItem.EncodingDisambiguationPolicy = .automatic,
    @ViewBuilder label: () -> Label
  ) {}

  public var body: some View { EmptyView() }
}
