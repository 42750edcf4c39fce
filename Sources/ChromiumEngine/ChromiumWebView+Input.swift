internal import BridgeDevTools
internal import BridgeJSON

// What a person does, for tests: no script can do it for a view that scripts do not reach.
extension ChromiumWebView {
    /// Presses what is there, in CSS pixels of the viewport.
    package func click(x: Double, y: Double) async throws {
        for type in ["mousePressed", "mouseReleased"] {
            let params: JSON = [
                "type": JSON(type), "x": JSON(x) ?? 0, "y": JSON(y) ?? 0, "button": "left", "clickCount": 1,
            ]
            _ = try await connection.send("Input.dispatchMouseEvent", params, session: session)
        }
    }

    /// Types a text where the focus is.
    package func type(_ text: String) async throws {
        _ = try await connection.send("Input.insertText", ["text": JSON(text)], session: session)
    }

    /// Presses Tab, or Enter.
    package func press(tab isTab: Bool) async throws {
        let key: JSONObject =
            isTab
            ? ["key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9]
            : ["key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"]
        for type in ["keyDown", "keyUp"] {
            var params = key
            params["type"] = JSON(type)
            _ = try await connection.send("Input.dispatchKeyEvent", .object(params), session: session)
        }
    }
}
