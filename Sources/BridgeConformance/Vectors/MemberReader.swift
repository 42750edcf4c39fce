import BridgeJSON

/// Takes the members of an object apart; what does not fit is a fault with its place.
struct MemberReader {
    let object: JSONObject
    let file: String
    let path: JSONPath

    init(_ json: JSON, file: String, path: JSONPath = JSONPath()) throws(VectorFault) {
        guard case .object(let object) = json else {
            throw VectorFault(file: file, path: path, reason: "it is \(json.kind), not an object")
        }
        self.object = object
        self.file = file
        self.path = path
    }

    func fault(_ reason: String) -> VectorFault { VectorFault(file: file, path: path, reason: reason) }

    /// A name that nothing reads is a slip.
    func allow(_ names: String...) throws(VectorFault) {
        for member in object where !names.contains(where: member.name.equals) {
            throw fault("\"\(member.name)\" means nothing here")
        }
    }

    func optionalString(_ name: String) throws(VectorFault) -> String? {
        guard let value = object[name] else { return nil }
        guard let string = value.string else { throw fault("\"\(name)\" is \(value.kind), not a string") }
        return string
    }

    func string(_ name: String) throws(VectorFault) -> String {
        guard let string = try optionalString(name), !string.isEmpty else { throw fault("\"\(name)\" is missing") }
        return string
    }

    func flag(_ name: String) throws(VectorFault) -> Bool {
        guard let value = object[name] else { return false }
        guard let flag = value.bool else { throw fault("\"\(name)\" is \(value.kind), not true or false") }
        return flag
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(VectorFault) -> Choice? {
        guard let text = try optionalString(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw fault("\"\(name)\" is none of \(names)")
        }
        return choice
    }

    /// The objects in the array of that name.
    func list(_ name: String) throws(VectorFault) -> [MemberReader] {
        guard let elements = object[name]?.array else { throw fault("\"\(name)\" is no list") }
        var readers: [MemberReader] = []
        for (index, element) in elements.enumerated() {
            let place = JSONPath(path.elements + [.name(JSONString(name)), .index(index)])
            readers.append(try MemberReader(element, file: file, path: place))
        }
        return readers
    }
}
