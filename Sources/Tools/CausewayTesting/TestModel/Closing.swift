/// The call that closed a model, for the text of a failure.
enum Closing: String {
  case finish = "finish()"
  case cancelEffects = "cancelEffects()"
}
