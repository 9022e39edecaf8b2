// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.

public import Foundation
public import SwiftUI

// Apple's CoreImage re-exports CoreGraphics and CoreFoundation.
public final class CFString {}

public final class CGImage {}

public final class CGColorSpace {
  public init?(name: CFString) { declaredOnly() }

  public class var sRGB: CFString { declaredOnly() }
}

public struct CGAffineTransform: Sendable {
  public init(scaleX sx: CGFloat, y sy: CGFloat) {}

  public func translatedBy(x tx: CGFloat, y ty: CGFloat) -> CGAffineTransform { self }
}

public struct CIImageOption: RawRepresentable, Hashable, Sendable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let applyOrientationProperty = CIImageOption(rawValue: "")
}

public struct CIImageRepresentationOption: RawRepresentable, Hashable, Sendable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}

open class CIImage: NSObject {
  public init?(data: Data, options: [CIImageOption: Any]? = nil) { declaredOnly() }

  open var extent: CGRect { declaredOnly() }

  open func transformed(
    by matrix: CGAffineTransform, highQualityDownsample: Bool
  ) -> CIImage { declaredOnly() }

  open func cropped(to rect: CGRect) -> CIImage { declaredOnly() }
}

open class CIContext: NSObject {
  open func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? { declaredOnly() }

  open func jpegRepresentation(
    of image: CIImage, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { declaredOnly() }
}

// In Apple's SwiftUI, which re-exports CoreGraphics too.
extension Image {
  public init(
    decorative cgImage: CGImage, scale: CGFloat, orientation: Image.Orientation = .up
  ) { declaredOnly() }
}

/// Ends the program, because this module has declarations only.
private func declaredOnly(_ name: StaticString = #function) -> Never {
  fatalError("\(name): on this system, CoreImage has declarations only, for compiling views.")
}
