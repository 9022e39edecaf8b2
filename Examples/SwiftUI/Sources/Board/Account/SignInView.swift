import HarborDomain
import HarborFeatures
import SwiftUI

/// The form of the sign-in, which also offers a board without a server.
struct SignInView: View {
  let signIn: PageViewState.SignIn
  let send: (SignInInteractor.Action) -> Void
  @State private var name = ""
  @State private var passphrase = ""
  @State private var invitation = ""

  var body: some View {
    Form {
      Section {
        TextField("Name", text: $name)
        SecureField("Passphrase", text: $passphrase)
        Button("Sign in") { send(.signIn(Credentials(name: name, passphrase: passphrase))) }
      } header: {
        Text("Your account")
      }
      if signIn.canSignUp {
        Section("No account yet") {
          if signIn.asksForInvitation {
            TextField("Invitation", text: $invitation)
          }
          Button("Make an account") {
            send(
              .signUp(
                Credentials(
                  name: name, passphrase: passphrase,
                  invitation: invitation.isEmpty ? nil : invitation)))
          }
        }
      }
      if signIn.hasLocalAccount {
        Button("Use Harbor on this device only") { send(.useLocalAccount) }
      }
      if !signIn.problem.isEmpty { Text(signIn.problem).foregroundStyle(.red) }
    }
    .disabled(signIn.isWorking)
    .onAppear { name = signIn.name }
  }
}
