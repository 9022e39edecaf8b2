// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.
public import Foundation

public protocol HashFunction {
  associatedtype Digest: Sequence<UInt8>
  static func hash(data: some DataProtocol) -> Digest
}

public struct SHA256: HashFunction {
  public static func hash(data: some DataProtocol) -> SHA256Digest { SHA256Digest() }
}

public struct SHA256Digest: Sequence {
  public func makeIterator() -> IndexingIterator<[UInt8]> { [].makeIterator() }
}

public struct SymmetricKey {
  public init(data: some ContiguousBytes) {}
}

public struct HashedAuthenticationCode<Hash: HashFunction>: Sequence {
  public func makeIterator() -> IndexingIterator<[UInt8]> { [].makeIterator() }
}

public struct HMAC<Hash: HashFunction> {
  public static func authenticationCode(
    for data: some DataProtocol, using key: SymmetricKey
  ) -> HashedAuthenticationCode<Hash> { HashedAuthenticationCode() }
}
