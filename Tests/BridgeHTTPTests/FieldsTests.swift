import BridgeHTTP
import Testing

@Suite("Fields")
struct FieldsTests {
    @Test("lookup without regard to ASCII case, order and repetition kept")
    func lookup() {
        var fields: HTTPFields = ["Accept": "a", "X": "1", "ACCEPT": "b"]
        #expect(fields["accept"] == "a")
        #expect(fields.values("accept") == ["a", "b"])
        #expect(fields.count(of: "Accept") == 2 && fields.count == 3)
        #expect(fields["accep"] == nil)
        #expect(fields.map(\.name) == ["Accept", "X", "ACCEPT"])
        fields.set("accept", "c")
        #expect(fields.map(\.name) == ["X", "accept"])
        // The Kelvin sign is no k.
        #expect(fields["\u{212A}"] == nil)
    }

    @Test("lists over several lines, empty elements left out")
    func lists() {
        let fields: HTTPFields = ["L": "a , ,B,", "L": "", "L": "\tc"]
        #expect(fields.elements("l") == ["a", "B", "c"])
        #expect(fields.contains(token: "b", in: "l"))
        #expect(!fields.contains(token: "ab", in: "l"))
    }

    @Test("no value can end its line, no name is anything but a token")
    func splitting() {
        var fields = HTTPFields()
        let isAdded = fields.append("X", " a\r\nSet-Cookie: b\0\u{7F}\t")
        #expect(isAdded)
        #expect(fields["X"] == "a  Set-Cookie: b")
        for name in ["X Y", "", "X:", "X\r\n", "\u{E9}"] {
            let isAdded = fields.append(name, "a")
            #expect(!isAdded, "\(name.debugDescription)")
        }
        #expect(fields.count == 1)
    }

    @Test("dates (RFC 9110, 5.6.7)")
    func dates() {
        #expect(HTTPDate.string(secondsSince1970: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.string(secondsSince1970: 0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.string(secondsSince1970: 951_782_400) == "Tue, 29 Feb 2000 00:00:00 GMT")
        #expect(HTTPDate.string(secondsSince1970: 4_107_542_399) == "Sun, 28 Feb 2100 23:59:59 GMT")
        #expect(HTTPDate.string(secondsSince1970: .max) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate.string(secondsSince1970: .min) == "Thu, 01 Jan 1970 00:00:00 GMT")
    }
}
