import BridgeDevTools
import Foundation
import Testing

@Suite struct BrowserLocatorTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "browsers-\(UUID().uuidString)").path

        init(_ names: String...) throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for name in names {
                _ = FileManager.default.createFile(
                    atPath: "\(path)/\(name)", contents: nil,
                    attributes: [.posixPermissions: name == "chromium" ? 0o600 : 0o700])
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test func whatIsGivenGoesBeforeTheVariableAndThatBeforeThePath() throws {
        let folder = try Folder("google-chrome")
        let environment = ["BRIDGEHEAD_BROWSER": "/named", "PATH": folder.path]
        #expect(try BrowserLocator(environment: environment).find("/given") == "/given")
        #expect(try BrowserLocator(environment: environment).find() == "/named")
        let unset = environment.merging(["BRIDGEHEAD_BROWSER": ""]) { $1 }
        #expect(try BrowserLocator(environment: unset).find() == "\(folder.path)/google-chrome")
    }

    @Test func onThePathTheNameCountsBeforeTheFolder() throws {
        let (first, second) = (try Folder("google-chrome", "chromium"), try Folder("chromium-browser"))
        let locator = BrowserLocator(named: nil, searchPath: "/nonexistent::\(first.path):\(second.path)")
        #expect(try locator.find() == "\(second.path)/chromium-browser", "'chromium' here cannot be executed")
    }

    #if os(Linux)
        @Test func whereThereIsNoneItSaysWhatWasLookedForAndWhatToDo() throws {
            let folder = try Folder("firefox")
            let failure = #expect(throws: BrowserUnavailable.self) {
                try BrowserLocator(named: nil, searchPath: folder.path).find()
            }
            for part in ["apt-get install chromium", "--browser", "BRIDGEHEAD_BROWSER", "microsoft-edge", folder.path] {
                #expect(failure?.reason.contains(part) == true, "\(part)")
            }
        }
    #endif
}
