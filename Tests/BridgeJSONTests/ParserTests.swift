import BridgeJSON
import Testing

struct ParserTests {
    @Test(arguments: [
        ("[ 1 , -0.5e+3 ,true,false,null,\"a\\n\"]", #"[1,-0.5e+3,true,false,null,"a\n"]"#),
        (#"{"b":{"c":[[],{}]},"a":1,"b":2}"#, #"{"b":2,"a":1}"#),
        (#"["\ud800","\ud83d\ude00","\u2028"]"#, #"["\ud800","😀","\u2028"]"#),
    ])
    func parsesAndWrites(text: String, written: String) throws {
        #expect(try JSON(parsing: text).text == written)
    }
}
