/// The script that tells of what the DevTools protocol does not: whether a document or a state is new or takes another's
/// place, and its title. It runs in a world of its own, in the main frame, where no page's script can see it.
enum PageReporter {
    static let world = "bridgehead.reporter"
    static let binding = "bridgeheadReport"

    static let source = """
        if (window === top) {
          const report = globalThis.bridgeheadReport;
          const tell = (report, value) => report(JSON.stringify(value));
          const { navigation } = globalThis;
          tell(report, { document: navigation?.activation?.navigationType ?? null });
          let isHash = false;
          navigation?.addEventListener("navigate", (event) => { isHash = event.hashChange; });
          navigation?.addEventListener("currententrychange", (event) => {
            if (event.navigationType === null) return;
            tell(report, { entry: event.navigationType, isHash, url: location.href, index: navigation.currentEntry?.index ?? -1 });
          });
          let told = "";
          const title = () => {
            if (document.title === told) return;
            told = document.title;
            tell(report, { title: told });
          };
          addEventListener("DOMContentLoaded", () => {
            title();
            const head = document.head ?? document.documentElement;
            if (head) new MutationObserver(title).observe(head, { childList: true, characterData: true, subtree: true });
          });
          addEventListener("load", title);
        }
        """
}
