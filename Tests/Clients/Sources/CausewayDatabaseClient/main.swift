import CausewayDatabase

let query: SQL = "SELECT * FROM item WHERE title = \("Flour")"
print(query.text)
