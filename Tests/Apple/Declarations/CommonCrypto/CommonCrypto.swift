// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these declarations; this file repeats their signatures.
public typealias CCPBKDFAlgorithm = UInt32
public typealias CCPseudoRandomAlgorithm = UInt32

public let kCCPBKDF2 = 2
public let kCCPRFHmacAlgSHA256 = 3
public let kCCSuccess = 0

public func CCKeyDerivationPBKDF(
  _ algorithm: CCPBKDFAlgorithm, _ password: UnsafePointer<CChar>?, _ passwordLength: Int,
  _ salt: UnsafePointer<UInt8>?, _ saltLength: Int, _ random: CCPseudoRandomAlgorithm,
  _ rounds: UInt32, _ derivedKey: UnsafeMutablePointer<UInt8>?, _ derivedKeyLength: Int
) -> Int32 { 0 }
