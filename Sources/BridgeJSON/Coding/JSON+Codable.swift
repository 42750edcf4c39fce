extension JSON: Codable {
    /// With the bridge's own decoder the value as it is; with any other what that one can say of it.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? ValueDecoder {
            self = decoder.value
            return
        }
        if let container = try? decoder.container(keyedBy: PlaceKey.self) {
            var object = JSONObject()
            for key in container.allKeys { object[key.stringValue] = try container.decode(JSON.self, forKey: key) }
            self = .object(object)
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var items: [JSON] = []
            while !container.isAtEnd { items.append(try container.decode(JSON.self)) }
            self = .array(items)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? container.decode(Int64.self) {
            self = JSON(integer)
        } else if let integer = try? container.decode(UInt64.self) {
            self = JSON(integer)
        } else if let double = try? container.decode(Double.self), let number = JSON(double) {
            self = number
        } else {
            self = JSON(try container.decode(String.self))
        }
    }

    /// With the bridge's own encoder the value as it is; with any other what that one can take of it.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? ValueEncoder {
            encoder.set { $0.write(self) }
            return
        }
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: PlaceKey.self)
            for member in object { try container.encode(member.value, forKey: .named(member.name.string)) }
        case .array(let items):
            var container = encoder.unkeyedContainer()
            for item in items { try container.encode(item) }
        default:
            var container = encoder.singleValueContainer()
            try encode(to: &container)
        }
    }

    private func encode(to container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .bool(let bool): try container.encode(bool)
        case .string(let string): try container.encode(string.string)
        case .number(let number):
            if let integer = number.integer(as: Int64.self) {
                try container.encode(integer)
            } else if let integer = number.integer(as: UInt64.self) {
                try container.encode(integer)
            } else {
                // Out of range it becomes an infinity, which the other encoder refuses or has a rule for.
                try container.encode(Double(number.text) ?? .nan)
            }
        default: try container.encodeNil()
        }
    }
}
