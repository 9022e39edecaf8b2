import Foundation

// Started by the tests of killed processes: a client with an outbox, or its server.
//
//   OutboxProbe server FOLDER
//   OutboxProbe work FOLDER RUN COUNT BATCH
//   OutboxProbe drain FOLDER BATCH
//   OutboxProbe report FOLDER
//   OutboxProbe device FOLDER RUN COUNT
//   OutboxProbe drain-device FOLDER
//   OutboxProbe report-device FOLDER
let arguments = CommandLine.arguments
switch (arguments.dropFirst().first, arguments.count) {
case ("server", 3):
  try await Server.run(arguments[2])
case ("work", 6):
  try await Client(arguments[2], batchLimit: Int(arguments[5]) ?? 1)
    .work(run: Int(arguments[3]) ?? 0, count: Int(arguments[4]) ?? 0)
case ("drain", 4):
  try await Client(arguments[2], batchLimit: Int(arguments[3]) ?? 1).drain()
  say("drained")
case ("device", 5):
  try await Device(arguments[2], isLasting: false)
    .work(run: Int(arguments[3]) ?? 0, count: Int(arguments[4]) ?? 0)
case ("drain-device", 3):
  try await Device(arguments[2], isLasting: true).drain()
  say("drained")
case ("report-device", 3):
  try await reportDevice(arguments[2])
case ("report", 3):
  try await report(arguments[2])
default:
  print(
    "usage: OutboxProbe server|report|drain-device|report-device FOLDER | drain FOLDER BATCH | "
      + "work FOLDER RUN COUNT BATCH | device FOLDER RUN COUNT")
  exit(64)
}
