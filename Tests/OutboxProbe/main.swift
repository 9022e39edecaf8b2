import Foundation

// Started by the tests of killed processes: a client with an outbox, or its server.
//
//   OutboxProbe server FOLDER
//   OutboxProbe work FOLDER RUN COUNT
//   OutboxProbe drain FOLDER
//   OutboxProbe report FOLDER
let arguments = CommandLine.arguments
switch (arguments.dropFirst().first, arguments.count) {
case ("server", 3):
  try await Server.run(arguments[2])
case ("work", 5):
  try await Client(arguments[2]).work(run: Int(arguments[3]) ?? 0, count: Int(arguments[4]) ?? 0)
case ("drain", 3):
  try await Client(arguments[2]).drain()
  say("drained")
case ("report", 3):
  try await report(arguments[2])
default:
  print("usage: OutboxProbe server|drain|report FOLDER | work FOLDER RUN COUNT")
  exit(64)
}
