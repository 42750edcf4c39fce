/// A browser that runs, and the connection to it.
package final class DevToolsBrowser: Sendable {
    package let process: BrowserProcess
    package let connection: DevToolsConnection

    /// Starts it. Commands may be sent at once; where it ends instead, they say so.
    ///
    /// - Parameter path: as ``BrowserLocator/find(_:)`` gives it.
    package init(path: String, options: BrowserOptions = BrowserOptions()) throws(BrowserUnavailable) {
        let process = try BrowserProcess(path: path, options: options)
        // Who has closed its pipe ends, or is ended. How it ended is what commands and sinks are told.
        let connection = DevToolsConnection(reading: process.answers, writing: process.orders) { process.kill() }
        process.onEnd { connection.end($0.description) }
        self.process = process
        self.connection = connection
    }

    deinit { process.requestStop() }

    /// What its user should know; nil: nothing.
    package var warning: String? { process.warning }

    /// Ends it with all its pages, and returns when no process, descriptor or file of it is left.
    package func end() async {
        await process.stop()
        await connection.closed()
    }
}
