/// What a request or a notification of the load asks for.
package enum Kind: String, Sendable, CaseIterable {
    /// Its payload comes back, from a synchronous handler.
    case echo
    /// An answer after some time, from a task, from a callback, and with progress before it.
    case wait, later, progress
    /// A large answer after some time; over the message limit it is a failure.
    case grow
    /// The handler throws 4001, forgets to answer, has a deadline.
    case fail, forget, deadline
    /// The handler calls the page and answers how that ended.
    case ask
    /// As notifications: one in place, one whose task calls the page.
    case note, poke
    /// An event without a handler, a payload that does not decode, a text that is no JSON.
    case unknown, invalid, garbage
    /// The protocol's own.
    case hello, cancel

    /// Whether it reaches a handler, which writes it down.
    package var isExecuted: Bool {
        switch self {
        case .echo, .wait, .later, .progress, .grow, .fail, .forget, .deadline, .ask, .note, .poke: true
        case .unknown, .invalid, .garbage, .hello, .cancel: false
        }
    }

    package var isNotification: Bool { self == .note || self == .poke }

    /// Whether it can still be in flight when something else happens to it.
    package var isAsynchronous: Bool {
        switch self {
        case .wait, .later, .progress, .grow, .deadline, .ask: true
        default: false
        }
    }
}

/// How a request was answered, as the load judged it on the spot.
package enum Answer: Sendable, Hashable {
    /// With the result it was to have.
    case result
    case failure(Int)
    /// With anything else: the text that shows it.
    case wrong(String)
}

/// How far a server's draining has surely come, as the load knows it: a message that has come was said no later.
package enum Draining: Sendable {
    case notBegun, begun
    /// The time that requests in flight have is over.
    case timedOut
}

/// One message that the load sent.
package struct Record: Sendable {
    package struct Marks: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The load has asked to take it back.
        package static let cancelled = Marks(rawValue: 1)
        /// Its id is that of another one in flight.
        package static let duplicate = Marks(rawValue: 2)
        /// Its answer is over the message limit.
        package static let tooLarge = Marks(rawValue: 4)
        /// The call to the page that it leads to has a timeout.
        package static let timed = Marks(rawValue: 8)
    }

    package let kind: Kind
    package var marks: Marks
    package private(set) var answer: Answer?
    /// When the answer came.
    package private(set) var draining = Draining.notBegun
    /// What came after the answer: there is to be nothing.
    package private(set) var further: [Answer] = []

    package init(_ kind: Kind, _ marks: Marks = []) {
        self.kind = kind
        self.marks = marks
    }

    package mutating func take(_ new: Answer, _ draining: Draining = .notBegun) {
        guard answer == nil else { return further.append(new) }
        (answer, self.draining) = (new, draining)
    }
}
