import Foundation

/// The JavaScript client, the demo pages, the phone's view, the vectors and PROTOCOL.md, as they were when the program was built.
package enum WebFixtures {
    /// How the generated table holds a file.
    enum Embedded {
        case text(StaticString)
        case base64(StaticString)
    }

    /// The bytes of the file at `path`, relative to `web-fixtures` (`client/client.mjs`), or nil.
    package static func contents(_ path: String) -> [UInt8]? {
        switch embedded(path) {
        case .text(let literal): literal.withUTF8Buffer { [UInt8]($0) }
        case .base64(let literal): literal.withUTF8Buffer { Data(base64Encoded: Data($0)).map([UInt8].init) }
        case nil: nil
        }
    }
}
