import BridgeHTTP
import BridgeServer
import Bridgehead
import Foundation
import PageEngines
import PageModel
import PhoneShell
import Testing

/// What the shell's page is told and what it may ask for, without a browser.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ShellTests {
    private let bridge = Bridge()
    private let phones = Phones()
    private let shell: PhoneShell
    private let site: Bridge

    init() throws {
        var patience = PhoneShell.Patience()
        patience.shell = .milliseconds(200)
        patience.client = .milliseconds(50)
        let phones = phones
        shell = PhoneShell(bridge, patience: patience) { phones.pages.append($0) }
        site = try #require(shell.site.bridge)
    }

    private func begun(_ url: String? = nil) async throws -> ShellPeer {
        let peer = ShellPeer(site)
        try await peer.begin(url: url)
        return peer
    }

    /// A shell whose phone shows that page.
    private func showing(_ url: String) async throws -> (ShellPeer, PagePeer) {
        let peer = try await begun(url)
        await peer.until { $0["frame"]?["url"]?.string == url }
        let page = PagePeer(bridge, url, phone: try #require(peer.state["phone"]?.string))
        page.open(title: "T")
        await peer.until { $0["address"]?.string == url && $0["isLoading"]?.bool == false }
        return (peer, page)
    }

    @Test func theFirstStateIsWhole() async throws {
        let peer = try await begun()
        let names = [
            "phone", "revision", "frame", "address", "title", "isSecure", "progress", "isLoading", "canGoBack",
            "canGoForward", "connection", "notice", "sheets", "device", "devices", "isRotated", "scheme", "platform",
            "isExplaining", "overlays", "contentHeight",
        ]
        #expect(Set(names) == Set((peer.state.object ?? [:]).map(\.name.string)))
        #expect(peer.state["frame"] == ["url": .null, "load": 0] && peer.state["connection"] == "none")
        #expect(
            peer.state["progress"] == .null && peer.state["notice"] == .null && peer.state["contentHeight"] == .null)
        #expect(peer.state["device"]?["page"] == ["width": 393, "height": 659])
        #expect(peer.state["devices"]?.array?.count == 3)
        #expect(phones.pages.count == 1)
    }

    @Test func aPageIsLoadedIntoTheFrameOnceAndThenDrivesItself() async throws {
        try await withSite { origin in
            let (peer, page) = try await showing("\(origin)/")
            let load = peer.state["frame"]?["load"]
            #expect(peer.state["connection"] == "connected" && peer.state["title"] == "T")
            try await peer.request("shell.open", ["input": "\(origin)/?2".asJSON])
            _ = await page.next { $0["eventName"] == "$/page.load" }
            await peer.until { $0["isLoading"] == true }
            #expect(peer.state["frame"]?["load"] == load)
            #expect(peer.state["address"]?.string == "\(origin)/")
            try await peer.request("shell.reloadOrStop")
            await peer.until { $0["isLoading"] == false }
            try await peer.request("shell.reloadOrStop")
            _ = await page.next { $0["eventName"] == "$/page.reload" }
        }
    }

    @Test func backAndForwardAreTheLists() async throws {
        try await withSite { origin in
            let (peer, page) = try await showing("\(origin)/")
            #expect(peer.state["canGoBack"] == false && peer.state["canGoForward"] == false)
            page.send([
                "eventName": "$/page.url", "url": "\(origin)/#a".asJSON, "cause": "push", "index": 1, "isHash": true,
            ])
            await peer.until { $0["canGoBack"] == true }
            try await peer.request("shell.back")
            #expect(await page.next { $0["eventName"] == "$/page.go" }["delta"] == -1)
            page.send(["eventName": "$/page.url", "url": "\(origin)/".asJSON, "cause": "traverse", "index": 0])
            await peer.until { $0["canGoForward"] == true && $0["canGoBack"] == false }
            try await peer.request("shell.forward")
            _ = await page.next { $0["eventName"] == "$/page.go" && $0["delta"] == 1 }
        }
    }

    /// Several changes in a turn are one state, and what is as it was is not told.
    @Test func aTurnIsOneState() async throws {
        let peer = try await begun()
        await settled()
        let before = peer.revisions.count
        try await peer.request("shell.device", ["isRotated": true, "scheme": "dark", "id": "pixel-7"])
        await settled()
        #expect(peer.revisions.count == before + 1)
        #expect(peer.state["scheme"] == "dark" && peer.state["platform"] == "android")
        #expect(peer.state["device"]?["width"] == 915 && peer.state["device"]?["safeArea"]?["left"] == 52)
        try await peer.request("shell.device", ["isRotated": true, "scheme": "dark"])
        try await peer.request("shell.dismissNotice")
        await settled()
        #expect(peer.revisions.count == before + 1)
        #expect(peer.revisions == peer.revisions.sorted())
    }

    @Test func aDeviceChangesWhollyOrNotAtAll() async throws {
        let peer = try await begun()
        for payload: JSONObject in [
            ["isRotated": true, "id": "nokia"], ["isRotated": 1], ["scheme": "sepia"], ["platform": "web"], ["id": 5],
        ] {
            await #expect(throws: BridgeFailure.self) { try await peer.request("shell.device", payload) }
        }
        await settled()
        #expect(peer.state["isRotated"] == false && peer.state["device"]?["id"] == "iphone-15")
    }

    /// The client sees the platform in the frame's name, which no frame changes.
    @Test func anotherPlatformLoadsThePageAnew() async throws {
        try await withSite { origin in
            let (peer, page) = try await showing("\(origin)/")
            page.send(["eventName": "$/page.url", "url": "\(origin)/#a".asJSON, "cause": "push", "index": 1])
            await peer.until { $0["canGoBack"] == true }
            let load = try #require(peer.state["frame"]?["load"]?.int)
            try await peer.request("shell.device", ["platform": "android"])
            await peer.until { $0["platform"] == "android" }
            #expect(peer.state["frame"]?["url"]?.string == "\(origin)/#a")
            #expect(try #require(peer.state["frame"]?["load"]?.int) > load)
            #expect(peer.state["canGoBack"] == false)
        }
    }

    @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "nothing at all"])
    func whatIsNoWebAddressIsSaidAndNotLoaded(input: String) async throws {
        let peer = try await begun()
        try await peer.request("shell.open", ["input": input.asJSON])
        await peer.untilNotice("badURL")
        #expect(peer.state["frame"] == ["url": .null, "load": 0])
        try await peer.request("shell.dismissNotice")
        await peer.until { $0["notice"] == .null }
        // Nor as what the shell was opened with.
        await (try begun(input)).untilNotice("badURL")
    }

    @Test func whatIsNotOnThisMachineIsAskedAboutFirst() async throws {
        let peer = try await begun("https://example.test/x")
        await peer.untilNotice("confirm")
        #expect(peer.state["notice"]?["url"] == "https://example.test/x" && peer.state["frame"]?["url"] == .null)
        try await peer.request("shell.confirm")
        await peer.until { $0["frame"]?["url"] == "https://example.test/x" }
        #expect(peer.state["notice"] == .null)
        // There is nothing to confirm any more.
        let frame = peer.state["frame"]
        try await peer.request("shell.confirm")
        await settled()
        #expect(peer.state["frame"] == frame)
    }

    @Test func aPageThatMayNotBeFramedIsSaidAndNotLoaded() async throws {
        try await withSite(fields: ["X-Frame-Options": "DENY"]) { origin in
            let peer = try await begun("\(origin)/_bridge/conformance/x.html")
            await peer.untilNotice("noFraming")
            #expect(peer.state["frame"]?["load"] == 0)
            #expect(peer.state["notice"]?["url"]?.string == "\(origin)/_bridge/conformance/x.html")
            #expect(peer.state["notice"]?["text"]?.string?.contains("X-Frame-Options: deny") == true)
        }
    }

    @Test func aServerThatIsNotThereIsSaid() async throws {
        let gone = try await withSite { $0 }
        let peer = try await begun("\(gone)/")
        await peer.untilNotice("failed")
        #expect(peer.state["notice"]?["url"]?.string == "\(gone)/" && peer.state["frame"]?["load"] == 0)
    }

    @Test func aPageWithoutAClientIsSaidAndTheNoticeGoesWhenItConnects() async throws {
        try await withSite { origin in
            let peer = try await begun("\(origin)/")
            await peer.until { $0["frame"]?["url"] != .null }
            #expect(peer.state["connection"] == "waiting" && peer.state["isLoading"] == true)
            try await peer.request("shell.frameDidLoad")
            await peer.untilNotice("noClient")
            #expect(peer.state["isLoading"] == false)
            PagePeer(bridge, "\(origin)/", phone: try #require(peer.state["phone"]?.string)).open()
            await peer.until { $0["notice"] == .null && $0["connection"] == "connected" }
        }
    }

    @Test func dialogsAreSheetsThatAreAnsweredOnceAndGoWithThePage() async throws {
        try await withSite { origin in
            let (peer, page) = try await showing("\(origin)/")
            page.send(["eventName": "$/page.dialog", "kind": "alert", "message": "<b>1</b>"])
            page.send(["eventName": "$/page.dialog", "kind": "alert", "message": "2"])
            await peer.until { $0["sheets"]?.array?.count == 2 }
            let first = try #require(peer.state["sheets"]?.array?.first)
            #expect(first["message"] == "<b>1</b>" && first["kind"] == "alert" && first["origin"] == "localhost")
            try await peer.request("shell.answer", ["sheet": first["id"] ?? .null, "accepts": true])
            await peer.until { $0["sheets"]?.array?.count == 1 }
            await #expect(throws: BridgeFailure.self) {
                try await peer.request("shell.answer", ["sheet": first["id"] ?? .null, "accepts": true])
            }
            page.end()
            await peer.until { $0["sheets"]?.array?.isEmpty == true }
            #expect(peer.state["connection"] == "between")
        }
    }

    @Test func nothingIsDoneBeforeThePhoneHasBegun() async throws {
        let peer = ShellPeer(site)
        peer.connect(["url": "http://localhost/"])
        for name in [
            "open", "back", "forward", "reloadOrStop", "confirm", "answer", "device", "explain", "frameDidLoad",
        ] {
            await #expect(throws: BridgeFailure.self) { try await peer.request("shell.\(name)", ["input": "/"]) }
        }
    }

    @Test func aShellThatComesBackHasItsPhone() async throws {
        try await withSite { origin in
            let (peer, _) = try await showing("\(origin)/")
            try await peer.request("shell.device", ["scheme": "dark"])
            let id = try #require(peer.state["phone"]?.string)
            peer.end(.connectionLost)
            let again = ShellPeer(site)
            try await again.begin(url: "\(origin)/other", phone: id)
            #expect(again.state["phone"]?.string == id && again.state["scheme"] == "dark")
            #expect(again.state["address"]?.string == "\(origin)/" && phones.pages.count == 1)
        }
    }

    @Test func aPhoneThatNoShellShowsEnds() async throws {
        try await withSite { origin in
            let (peer, page) = try await showing("\(origin)/")
            let id = try #require(peer.state["phone"]?.string)
            peer.end()
            let shown = try #require(phones.pages.first)
            for await _ in shown.urlChanges {}
            let again = ShellPeer(site)
            try await again.begin(phone: id)
            #expect(again.state["address"] == "" && phones.pages.count == 2)
            page.end()
        }
    }

    /// This side was started again: page and shell come back in whatever order.
    @Test(arguments: [true, false])
    func aPhoneOfBeforeIsTakenUpAgain(pageIsFirst: Bool) async throws {
        let page = PagePeer(bridge, "http://localhost:1/a", phone: "before")
        if pageIsFirst { page.open(title: "A") }
        await settled()
        let peer = ShellPeer(site)
        let was: JSON = ["id": "pixel-7", "isRotated": true, "scheme": "dark", "platform": "ios", "isExplaining": true]
        try await peer.begin(url: "http://localhost:1/first", phone: "before", was: was)
        if !pageIsFirst { page.open(title: "A") }
        await peer.until { $0["title"] == "A" && $0["address"] == "http://localhost:1/a" }
        #expect(peer.state["connection"] == "connected")
        // The page is there: nothing is loaded.
        #expect(peer.state["frame"] == ["url": .null, "load": 0] && phones.pages.count == 1)
        #expect(peer.state["device"]?["width"] == 915 && peer.state["platform"] == "ios")
        #expect(peer.state["scheme"] == "dark" && peer.state["isExplaining"] == true)
        // What it was is known from now on.
        let other = ShellPeer(site)
        try await other.begin(phone: "before", was: ["id": "iphone-se", "scheme": "light"])
        #expect(other.state["device"]?["id"] == "pixel-7" && other.state["scheme"] == "dark")
    }

    @Test func whatAShellRemembersIsChecked() async throws {
        let peer = ShellPeer(site)
        try await peer.begin(phone: "x", was: ["id": 5, "isRotated": "yes", "scheme": "sepia", "platform": "web"])
        #expect(peer.state["device"]?["id"] == "iphone-15" && peer.state["isRotated"] == false)
        #expect(peer.state["scheme"] == "light" && peer.state["platform"] == "ios")
    }

    @Test(arguments: ["", "a b", "a:ios", "<script>", String(repeating: "a", count: 65)])
    func aPhoneHasAnIdThatAFramesNameCanHave(id: String) async throws {
        let peer = ShellPeer(site)
        try await peer.begin(phone: id)
        let given = try #require(peer.state["phone"]?.string)
        #expect(given != id && given.wholeMatch(of: /[\w-]{1,64}/) != nil)
    }
}

extension String {
    var asJSON: JSON { JSON(self) }
}
