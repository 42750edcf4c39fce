internal import BridgeJSON
internal import PageEngines
internal import PageModel

/// What Chromium, or the kit, says of a script's result.
enum ScriptResult {
    /// - Parameter text: as the kit writes it.
    static func value(of text: String?) throws -> JavaScriptValue {
        switch text?.first {
        case "=":
            guard
                let json = try? JSON(
                    parsing: Array((text ?? "").utf8.dropFirst()), maximumDepth: JSON.highestMaximumDepth),
                let value = JavaScriptValue(tagged: json)
            else { break }
            return value
        case "!": throw WebPageError.javaScriptException(.init(message: String((text ?? "").dropFirst())))
        default: break
        }
        throw WebPageError.javaScriptResultTypeIsUnsupported
    }

    /// - Parameter result: a remote object of the DevTools protocol, which is no object.
    static func primitive(_ result: JSON) -> JavaScriptValue {
        switch result["type"]?.string {
        case "boolean": .bool(result["value"]?.bool ?? false)
        case "string": .string(result["value"]?.string ?? "")
        case "number":
            switch result["unserializableValue"]?.string {
            case "NaN": .number(.nan)
            case "Infinity": .number(.infinity)
            case "-Infinity": .number(-.infinity)
            case "-0": .number(-0.0)
            default: .number(result["value"]?.double ?? .nan)
            }
        case "object": .null
        // And bigint, which WebKit passes on as undefined.
        default: .undefined
        }
    }

    /// Whether it is worth asking the kit; of a proxy a script in the page cannot even see that it is one.
    static func mayLeave(_ object: JSON) -> Bool {
        object["type"]?.string == "object"
            && !["proxy", "promise", "node", "weakmap", "weakset", "generator", "iterator"].contains(
                object["subtype"]?.string ?? "")
    }

    /// `String(thrown)`, of what is no object; nil for one.
    static func text(_ thrown: JSON) -> String? {
        switch thrown["type"]?.string {
        case "string": thrown["value"]?.string
        case "undefined": "undefined"
        case "object" where thrown["subtype"]?.string == "null": "null"
        case "boolean": thrown["value"]?.bool.map { "\($0)" }
        // A symbol, too.
        default: thrown["description"]?.string
        }
    }
}
