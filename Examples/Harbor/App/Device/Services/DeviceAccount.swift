import CausewayData
import HarborDomain

/// The account of a device, for the features.
struct DeviceAccount: AccountServiceProtocol {
  let device: Device

  func accounts() -> AsyncStream<AccountState> { device.accountStates.stream() }
  func signIn(_ credentials: Credentials) async throws { try await device.signIn(credentials) }
  func signUp(_ credentials: Credentials) async throws { try await device.signUp(credentials) }
  func signInLocally() async throws { try await device.signInLocally() }
  func signOut() async throws { try await device.signOut() }
}
