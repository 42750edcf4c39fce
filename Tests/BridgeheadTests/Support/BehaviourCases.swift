extension Behaviour {
    static let all = specification + ids + malformed + batches

    /// Every example of the JSON-RPC 2.0 specification, section 7, to the letter.
    static let specification: [Behaviour] = [
        Behaviour(
            "positional parameters", #"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#,
            gives: [#"{"jsonrpc":"2.0","result":19,"id":1}"#]),
        Behaviour(
            "positional parameters, other order",
            #"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#,
            gives: [#"{"jsonrpc":"2.0","result":-19,"id":2}"#]),
        Behaviour(
            "named parameters",
            #"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
            gives: [#"{"jsonrpc":"2.0","result":19,"id":3}"#]),
        Behaviour(
            "named parameters, other order",
            #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
            gives: [#"{"jsonrpc":"2.0","result":19,"id":4}"#]),
        Behaviour(
            "a notification", #"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#,
            #"{"jsonrpc": "2.0", "method": "foobar"}"#),
        Behaviour(
            "a method that does not exist", #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
            gives: [#"{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"1"}"#]),
        Behaviour(
            "invalid JSON", #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
            gives: [#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}"#]),
        Behaviour(
            "an invalid request", #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
            gives: [#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}"#]),
        Behaviour(
            "a batch, invalid JSON",
            #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]"#,
            gives: [#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}"#]),
        Behaviour(
            "an empty array", "[]",
            gives: [#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}"#]),
        Behaviour(
            "an invalid batch, not empty", "[1]",
            gives: [#"[{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}]"#]),
        Behaviour(
            "an invalid batch", "[1,2,3]",
            gives: [
                #"[{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null},"#
                    + #"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null},"#
                    + #"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}]"#
            ]),
        Behaviour(
            "a batch",
            #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},"#
                + #"{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},"#
                + #"{"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},"#
                + #"{"foo": "boo"},"#
                + #"{"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},"#
                + #"{"jsonrpc": "2.0", "method": "get_data", "id": "9"}]"#,
            gives: [
                #"[{"jsonrpc":"2.0","result":7,"id":"1"},{"jsonrpc":"2.0","result":19,"id":"2"},"#
                    + #"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null},"#
                    + #"{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"5"},"#
                    + #"{"jsonrpc":"2.0","result":["hello",5],"id":"9"}]"#
            ]),
        Behaviour(
            "a batch of notifications",
            #"[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},"#
                + #"{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]"#),
    ]

    private static func echoed(_ id: String) -> Behaviour {
        Behaviour(
            "law 2: the id \(id) comes back as written", #"{"jsonrpc":"2.0","id":\#(id),"method":"echo"}"#,
            gives: [#"{"jsonrpc":"2.0","result":{},"id":\#(id)}"#])
    }

    private static func echoedEvent(_ id: String) -> Behaviour {
        Behaviour(
            "law 2: the requestId \(id) comes back as written", #"{"eventName":"echo","requestId":\#(id)}"#,
            gives: [#"{"requestId":\#(id),"response":{}}"#])
    }

    static let ids: [Behaviour] =
        [
            "0", #""""#, "null", "1", "1.0", "-0", "1e2", "18446098363113800555", "9007199254740993",
            "123456789012345678901234567890", #""1""#, #""\ud800""#, #""é""#, #""e\#u{301}""#,
        ].map(echoed)
        + ["0", #""""#, "1.0", "18446098363113800555", #""a\"b""#, #""\udfff""#].map(echoedEvent)
        + ["__proto__", "constructor", "toString", "hasOwnProperty", "", "ECHO", "echo "].map { name in
            Behaviour(
                "U4, rpc-15: the unknown event \"\(name)\" is answered",
                #"{"eventName":"\#(name)","requestId":"r"}"#,
                gives: [#"{"requestId":"r","error":{"code":-32601,"message":"Method not found"}}"#])
        }
        + [
            Behaviour(
                "law 8: the payload comes back as sent",
                #"{"eventName":"echo","requestId":1,"b":1.0,"a":[true,1,null,"\ud800","\u2028","\#u{e9}"],"#
                    + #""\#u{e9}":1,"e\#u{301}":2,"big":9007199254740993,"nested":{"eventName":"x"}}"#,
                gives: [
                    #"{"requestId":1,"response":{"b":1.0,"a":[true,1,null,"\ud800","\u2028","\#u{e9}"],"#
                        + #""\#u{e9}":1,"e\#u{301}":2,"big":9007199254740993,"nested":{"eventName":"x"}}}"#
                ]),
            Behaviour(
                "law 8: of duplicate members the last counts", #"{"eventName":"echo","requestId":1,"a":1,"b":2,"a":3}"#,
                gives: [#"{"requestId":1,"response":{"a":3,"b":2}}"#]),
            Behaviour(
                "json-13: text survives",
                #"{"eventName":"echo","requestId":1,"s":"\u0000\u001f\u007f\u2028/\"\\\ud83d\ude00"}"#,
                gives: ["{\"requestId\":1,\"response\":{\"s\":\"\\u0000\\u001f\u{7f}\\u2028/\\\"\\\\\u{1F600}\"}}"]),
            Behaviour(
                "json-03: lone surrogates pass through as they were written",
                #"{"eventName":"echo","requestId":1,"s":["\udfff","\ud800","\udc00\ud800","\ud83d\uffff"]}"#,
                gives: [
                    "{\"requestId\":1,\"response\":{\"s\":[\"\\udfff\",\"\\ud800\",\"\\udc00\\ud800\","
                        + "\"\\ud83d\u{FFFF}\"]}}"
                ]),
            Behaviour(
                "json-09: numbers keep their digits, also those beyond a double",
                #"{"eventName":"echo","requestId":1,"n":[-0,-0.0,0e1,1E-400,1e400]}"#,
                gives: [#"{"requestId":1,"response":{"n":[-0,-0.0,0e1,1E-400,1e400]}}"#]),
            Behaviour(
                "rpc-09: params null counts as absent",
                #"{"jsonrpc":"2.0","id":3,"method":"echo","params":null}"#,
                gives: [#"{"jsonrpc":"2.0","result":{},"id":3}"#]),
            Behaviour(
                "an array travels in JSON-RPC", #"{"jsonrpc":"2.0","id":3,"method":"echo","params":[[],{}]}"#,
                gives: [#"{"jsonrpc":"2.0","result":[[],{}],"id":3}"#]),
        ]

    private static func invalid(_ what: String, _ text: String, id: String = "null") -> Behaviour {
        Behaviour(
            "law 5: \(what)", text,
            gives: [#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":\#(id)}"#])
    }

    private static func invalidEvent(_ what: String, _ text: String, id: String) -> Behaviour {
        Behaviour(
            "law 5: \(what)", text,
            gives: [#"{"requestId":\#(id),"error":{"code":-32600,"message":"Invalid Request"}}"#])
    }

    private static func notJSON(_ what: String, _ text: String) -> Behaviour {
        Behaviour(
            "not JSON: \(what)", text,
            gives: [#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}"#])
    }

    static let malformed: [Behaviour] =
        ["123", #""str""#, "true", "null", "-0.5", "{}", #"{"foo":"boo"}"#].map { invalid("\($0) is no message", $0) }
        + [#""2.1""#, "1", "2.0", #""go-ethereum""#, "null", "[]"].map {
            invalid("rpc-07: the version \($0)", #"{"jsonrpc":\#($0),"id":1,"method":"echo"}"#, id: "1")
        }
        + [
            invalid("rpc-07: no version", #"{"id":1,"method":"echo"}"#, id: "1"),
            invalid("an object as id", #"{"jsonrpc":"2.0","id":{},"method":"echo"}"#),
            invalid("an array as id", #"{"jsonrpc":"2.0","id":[1],"method":"echo"}"#),
            invalid("a boolean as id", #"{"jsonrpc":"2.0","id":true,"method":"echo"}"#),
            invalid(
                "params that are a string", #"{"jsonrpc":"2.0","id":"x","method":"echo","params":"a"}"#, id: #""x""#),
            invalid("params that are a number", #"{"jsonrpc":"2.0","id":7,"method":"echo","params":0}"#, id: "7"),
            invalid("no method", #"{"jsonrpc":"2.0","id":7}"#, id: "7"),
            invalid("a method that is null", #"{"jsonrpc":"2.0","id":7,"method":null}"#, id: "7"),
            invalid("jsonrpc beside requestId", #"{"jsonrpc":"2.0","requestId":"r","eventName":"echo"}"#),
            invalid("a requestId that is null", #"{"eventName":"echo","requestId":null}"#),
            invalid("a requestId that is an object", #"{"eventName":"echo","requestId":{},"id":5}"#, id: "5"),
            invalid("an eventName that is a number", #"{"eventName":5,"id":"a"}"#, id: #""a""#),
            invalidEvent("an eventName that is null", #"{"eventName":null,"requestId":"r"}"#, id: #""r""#),
            invalidEvent("a requestId alone", #"{"requestId":7}"#, id: "7"),
            invalidEvent("a method without jsonrpc", #"{"requestId":1.50,"method":"echo"}"#, id: "1.50"),
            notJSON("nothing", ""),
            notJSON("spaces", "  "),
            notJSON("a byte order mark", "\u{FEFF}{}"),
            notJSON("json-01: a trailing comma", #"{"jsonrpc":"2.0","id":1,"method":"ping",}"#),
            notJSON("json-01: a trailing comma in an array", "[1,2,]"),
            notJSON("json-05: a bad escape", #"{"eventName":"\u005g"}"#),
            notJSON("json-05: an escape that ends", #"{"eventName":"\ud83d\u"#),
            notJSON("text", "hello"),
            notJSON("two values", "{} {}"),
            notJSON("nesting over the limit", String(repeating: "[", count: 513) + String(repeating: "]", count: 513)),
            Behaviour("replies are never answered", #"{"requestId":"none","response":1}"#),
            Behaviour("malformed replies are never answered", #"{"result":{},"error":[],"id":{}}"#),
            Behaviour("progress for nothing is never answered", #"{"progress":1}"#),
            Behaviour("an unknown notification of the protocol is ignored", #"{"eventName":"$/nothing"}"#),
            Behaviour(
                "an unknown request of the protocol", #"{"eventName":"$/nothing","requestId":1}"#,
                gives: [#"{"requestId":1,"error":{"code":-32601,"message":"Method not found"}}"#]),
            Behaviour("law 11: cancelling nothing is ignored", #"{"eventName":"$/cancelRequest","id":"none"}"#),
            Behaviour(
                "law 11: cancelling with an id is answered null",
                #"{"jsonrpc":"2.0","id":1,"method":"$/cancelRequest","params":{"id":"none"}}"#,
                gives: [#"{"jsonrpc":"2.0","result":null,"id":1}"#]),
        ]

    static let batches: [Behaviour] = [
        Behaviour(
            "an element without jsonrpc",
            #"[{"eventName":"echo","requestId":"r"},{"jsonrpc":"2.0","id":1,"method":"echo"}]"#,
            gives: [
                #"[{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null},"#
                    + #"{"jsonrpc":"2.0","result":{},"id":1}]"#
            ]),
        Behaviour(
            "law 5 holds for the elements of a batch",
            #"[{"jsonrpc":"2.0","id":7},{"jsonrpc":"1.0","id":"x","method":"echo"},[]]"#,
            gives: [
                #"[{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":7},"#
                    + #"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":"x"},"#
                    + #"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}]"#
            ]),
        Behaviour(
            "replies in a batch are never answered",
            #"[{"jsonrpc":"2.0","id":1,"result":1},{"requestId":1,"response":2},{"error":5}]"#),
        Behaviour(
            "law 3: the same id twice in a batch",
            #"[{"jsonrpc":"2.0","id":1,"method":"echo"},{"jsonrpc":"2.0","id":1,"method":"echo"},"#
                + #"{"jsonrpc":"2.0","id":null,"method":"echo"},{"jsonrpc":"2.0","id":null,"method":"echo"}]"#,
            #"{"jsonrpc":"2.0","id":1,"method":"echo"}"#,
            gives: [
                #"[{"jsonrpc":"2.0","result":{},"id":1},"#
                    + #"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":1},"#
                    + #"{"jsonrpc":"2.0","result":{},"id":null},{"jsonrpc":"2.0","result":{},"id":null}]"#,
                #"{"jsonrpc":"2.0","result":{},"id":1}"#,
            ]),
        Behaviour(
            "a request that takes time, and the array after it",
            #"[{"jsonrpc":"2.0","id":"a","method":"later"},{"jsonrpc":"2.0","id":"b","method":"echo"}]"#,
            gives: [#"[{"jsonrpc":"2.0","result":"later","id":"a"},{"jsonrpc":"2.0","result":{},"id":"b"}]"#]),
    ]
}
