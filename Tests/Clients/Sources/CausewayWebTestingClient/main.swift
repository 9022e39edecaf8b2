import CausewayWebTesting

print(PageTestClient.self)
