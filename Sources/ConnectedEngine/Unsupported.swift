internal import PageModel

/// What a page in an ordinary browser cannot be asked, with the reasons of ``ConnectedWebView``'s table.
enum Unsupported: String, CaseIterable {
    case world = "an isolated world: scripts that a page loads all run in its own; use the world .page"
    case frame =
        "a script in a frame of the page: each frame is a document that its page's script may not reach; use the main frame"
    case html = "load(html:): what a page writes over itself takes its client away; load an http or https URL"
    case request = "a load with a method, fields or a body: a page navigates by URL alone; use a plain request"
    case fromOrigin = "reload(fromOrigin: true): a page may not pass its browser's cache over; use reload()"
    case userScript =
        "user scripts: a document's own script is the first of it that is known here; put the script into the page"

    var error: WebPageError { .unsupported(rawValue) }
}
