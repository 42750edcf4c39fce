/// What one backing does otherwise than the others, and why. A row that is not so any more fails, and so does what is in none.
struct Difference: Sendable {
    let backing: Backing
    let behaviour: String
    let seen: String
    let reason: String

    init(_ backing: Backing, _ behaviour: String, _ seen: String, _ reason: String) {
        self.backing = backing
        self.behaviour = behaviour
        self.seen = seen
        self.reason = reason
    }

    static let all: [Difference] = stub + chromium + connected

    private static let loadsAll = "a stub's responses say what can be loaded"
    private static let noEngine = "a stub runs no scripts: a test answers them"
    private static let unsupported = "threw Not supported: scripts"

    private static let stub: [Difference] = [
        Difference(.stub, "a scheme that nobody knows", "u=foo:bar l=true S C l=false F", loadsAll),
        Difference(.stub, "results of programs", unsupported, noEngine),
        Difference(.stub, "what cannot leave the page", "1 1 1 1 1", noEngine),
        Difference(.stub, "what a script throws", unsupported, noEngine),
        Difference(.stub, "where an error was made", unsupported, noEngine),
        Difference(.stub, "where something else was thrown", unsupported, noEngine),
        Difference(.stub, "arguments and results of calls", unsupported, noEngine),
        Difference(.stub, "what a call is rejected with", unsupported, noEngine),
        Difference(.stub, "a script that is none", unsupported, noEngine),
        Difference(.stub, "scripts run in the order in which they were sent", "", noEngine),
    ]

    private static let chromium: [Difference] = [
        Difference(
            .chromium, "where an error was made", "3:1",
            "the DevTools protocol tells where it was thrown; the client reads where it was made")
    ]

    private static let connected: [Difference] = [
        Difference(
            .connected, "who is asked about a load", "A(/b other)", "a page does not see what its browser is answered"),
        Difference(
            .connected, "nobody is there", "p=0.1 u=/ l=true S l=false u=/a X(-1001) p=1.0",
            "no page is told that its load came to nothing: it times out"),
        Difference(
            .connected, "a document from its text", "S X(1) u=/a",
            "what a page writes over itself takes its client away"),
        Difference(
            .connected, "where something else was thrown", "0:0",
            "what is no Error does not know where it was made, and a script cannot ask"),
    ]

    static func of(_ behaviour: Behaviour, in backing: Backing) -> Difference? {
        all.first { $0.backing == backing && $0.behaviour == behaviour.testDescription }
    }
}
