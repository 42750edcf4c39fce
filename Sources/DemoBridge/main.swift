import BridgeCommand
import Bridgehead

let bridge = Bridge()
DemoEvents.register(on: bridge)
BridgeCommand.main(bridge) { page in ArticleFooter.attach(to: page) }
