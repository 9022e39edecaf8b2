// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.

public import Foundation

/// A protocol of CoreTransferable, which Apple's SwiftUI re-exports.
///
/// Its requirements are left out.
public protocol Transferable {}

extension Data: Transferable {}
extension Never: Transferable {}
extension URL: Transferable {}

public struct DefaultShareLinkLabel: Primitive {}

public struct ShareLink<
  Data: RandomAccessCollection, PreviewImage: Transferable, PreviewIcon: Transferable, Label: View
>: Primitive where Data.Element: Transferable {
  public init(item: URL, subject: Text? = nil, message: Text? = nil)
  where
    Data == CollectionOfOne<URL>, PreviewImage == Never, PreviewIcon == Never,
    Label == DefaultShareLinkLabel
  {}
}

extension DefaultShareLinkLabel: View {}
extension ShareLink: View {}
