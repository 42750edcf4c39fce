import BridgeJSON
import BridgeWire
import Bridgehead
import Synchronization

/// Shows messages as they pass, with MSW's arrows: ⬆ page → native, ⬇ native → page, × a failure.
final class Traffic: Sendable {
    /// Answers carry an id only, so the event's name is remembered from the request.
    private struct Key: Hashable {
        let session: String
        let asker: Direction
        let id: MessageID
    }

    private enum Direction: Sendable { case received, sent }

    private let style: Style
    private let showsProtocol: Bool
    private let isMocked: @Sendable (JSONString) -> Bool
    private let write: @Sendable (String) -> Void
    private let names = Mutex<[Key: JSONString]>([:])

    /// - Parameters:
    ///   - showsProtocol: whether the protocol's own messages (`$/…`) are shown too.
    ///   - isMocked: whether the answers file answers the event.
    init(
        style: Style, showsProtocol: Bool, isMocked: @escaping @Sendable (JSONString) -> Bool,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.style = style
        self.showsProtocol = showsProtocol
        self.isMocked = isMocked
        self.write = write
    }

    func see(_ session: String, _ direction: BridgeLog.Direction, _ text: UnsafeRawBufferPointer) {
        let direction: Direction = direction == .received ? .received : .sent
        guard let json = try? JSON(parsing: text, maximumDepth: JSON.highestMaximumDepth) else {
            write(line(direction, session, "", "not JSON", isFailure: true, isMocked: false))
            return
        }
        for message in json.array ?? [json] {
            if case .object(let object) = message { see(session, direction, Inbound(object)) }
        }
    }

    private func see(_ session: String, _ direction: Direction, _ message: Inbound) {
        switch message {
        case .malformed(_, let failure):
            write(line(direction, session, "", "\(failure)", isFailure: true, isMocked: false))
        case .event(let name, let payload, let address, _):
            if let address { remember(name, Key(session: session, asker: direction, id: address.id)) }
            show(direction, session, name, payload.map(\.text) ?? "", isFailure: false)
        case .reply(let reply):
            let asker: Direction = direction == .sent ? .received : .sent
            let key = reply.id.map { Key(session: session, asker: asker, id: $0) }
            switch reply.content {
            case .progress(let value):
                let name = key.flatMap { key in names.withLock { $0[key] } } ?? "?"
                show(direction, session, name, "progress \(value)", isFailure: false)
            case .result(let value):
                show(direction, session, forget(key), "= \(value)", isFailure: false)
            case .failure(let failure):
                show(direction, session, forget(key), "\(failure)", isFailure: true)
            }
        }
    }

    private func remember(_ name: JSONString, _ key: Key) {
        // A peer's own choice, either; the traffic is for people.
        guard key.id.json.text.utf8.count <= 100 else { return }
        let name = JSONString(LogLine.cut(name.string, LogLine.longestName))
        names.withLock { names in
            // Requests that a lost connection took along are never answered.
            if names.count >= 10_000 { names = [:] }
            names[key] = name
        }
    }

    private func forget(_ key: Key?) -> JSONString {
        key.flatMap { key in names.withLock { $0.removeValue(forKey: key) } } ?? "?"
    }

    private func show(_ direction: Direction, _ session: String, _ name: JSONString, _ text: String, isFailure: Bool) {
        guard showsProtocol || !name.string.hasPrefix("$/") else { return }
        write(line(direction, session, name.string, text, isFailure: isFailure, isMocked: isMocked(name)))
    }

    private func line(
        _ direction: Direction, _ session: String, _ name: String, _ text: String, isFailure: Bool, isMocked: Bool
    ) -> String {
        let arrow = isFailure ? "×" : direction == .received ? "⬆" : "⬇"
        let mark =
            isMocked ? style.orange(arrow) : direction == .received ? style.green(arrow) : style.red(arrow)
        let time = Timestamp.now().dropFirst(11).dropLast()
        let rest = [LogLine.cut(name, LogLine.longestName), LogLine.cut(text, 200)].filter { !$0.isEmpty }.map(
            LogLine.printable
        )
        .joined(separator: " ")
        return
            "\(style.dim(String(time))) \(mark) \(style.dim(session)) \(rest)\(isMocked ? style.dim(" (answers file)") : "")"
    }
}
