/// The ids of elements, and references to them.
extension BindingCheck {
  mutating func checkIDs() {
    var ids: [String: Int] = [:]
    var hasBoundID = false
    for (index, element) in markup.elements.enumerated() {
      if element["data-attr"]?.split(separator: ";").contains(where: { pair in
        pair.split(separator: ":").first?.filter { !$0.isWhitespace } == "id"
      }) == true {
        hasBoundID = true
      }
      guard let id = element.attribute("id") else { continue }
      if let line = ids[id.value] {
        report("the id is used in line \(line) too; an id must be unique.", id)
      }
      ids[id.value] = id.line
      if let list = eachList(around: index) {
        report(
          "each row of the list \"\(list)\" would have this id; write data-attr=\"id:item.…\".", id)
      }
    }
    if hasBoundID { return }
    for element in markup.elements {
      for name in ["for", "aria-labelledby", "aria-describedby"] {
        guard let attribute = element.attribute(name) else { continue }
        for id in attribute.value.split(whereSeparator: \.isWhitespace)
        where ids[String(id)] == nil {
          report(
            "there is no element with the id \"\(id)\""
              + NearestName.hint(for: String(id), in: ids.keys), attribute)
        }
      }
    }
  }

  private func eachList(around index: Int) -> String? {
    var next = list(of: index)
    while let list = next {
      if let each = markup.elements[list]["data-each"] { return each }
      next = self.list(of: list)
    }
    return nil
  }
}
