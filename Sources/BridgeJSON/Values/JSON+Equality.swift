// Without recursion, so that comparing deep values takes no stack.

extension JSON: Hashable {
    public static func == (left: JSON, right: JSON) -> Bool {
        var pending: [(JSON, JSON)] = []
        var next: (JSON, JSON)? = (left, right)
        while let (left, right) = next {
            switch (left, right) {
            case (.null, .null): break
            case (.bool(let left), .bool(let right)): guard left == right else { return false }
            case (.number(let left), .number(let right)): guard left == right else { return false }
            case (.string(let left), .string(let right)): guard left == right else { return false }
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                pending.append(contentsOf: zip(left, right))
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return false }
                for member in left {
                    guard let other = right[member.name] else { return false }
                    pending.append((member.value, other))
                }
            default: return false
            }
            next = pending.popLast()
        }
        return true
    }

    public func hash(into hasher: inout Hasher) {
        var pending = [self]
        while let value = pending.popLast() {
            switch value {
            case .null: hasher.combine(0)
            case .bool(let bool): hasher.combine(bool)
            case .number(let number): hasher.combine(number)
            case .string(let string): hasher.combine(string)
            case .array(let items):
                hasher.combine(items.count)
                pending.append(contentsOf: items)
            // Members come in any order: only their names count, summed up.
            case .object(let object):
                hasher.combine(object.count)
                hasher.combine(object.members.reduce(0) { $0 &+ $1.name.hashValue })
            }
        }
    }
}

extension JSONObject: Hashable {
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        JSON.object(left) == JSON.object(right)
    }

    public func hash(into hasher: inout Hasher) {
        JSON.object(self).hash(into: &hasher)
    }
}
