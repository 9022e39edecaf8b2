import CausewayFoundation

var numbers = RandomNumbers(seed: 7)
print(Int.random(in: 1...6, using: &numbers))
