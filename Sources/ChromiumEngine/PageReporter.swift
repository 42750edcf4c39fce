/// The script that tells of what the DevTools protocol does not: whether a document or a state is new or takes another's
/// place, and its title. It runs in a world of its own, where no page's script can see it. Of frames it tells whether they
/// have gone elsewhere, for then one can go back.
enum PageReporter {
    static let world = "bridgehead.reporter"
    static let binding = "bridgeheadReport"

    static let source = """
        {
          const report = globalThis.bridgeheadReport;
          const tell = (report, value) => report(JSON.stringify(value));
          const { navigation } = globalThis;
          const isTop = window === top;
          const kind = navigation?.activation?.navigationType ?? null;
          tell(report, isTop ? { document: kind } : { frame: kind ?? "" });
          let isHash = false;
          navigation?.addEventListener("navigate", (event) => { isHash = event.hashChange; });
          navigation?.addEventListener("currententrychange", (event) => {
            const entry = event.navigationType;
            if (entry === null) return;
            tell(report, isTop ? { entry, isHash, index: navigation.currentEntry?.index ?? -1 } : { frame: entry });
          });
          if (isTop) {
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
        }
        """
}
