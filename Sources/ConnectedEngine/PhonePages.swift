package import Bridgehead

/// The pages of phones, by the phones' ids: a page that names its phone is that phone's, whichever of the two comes first.
@MainActor
package final class PhonePages {
    private let table: TabTable
    private let patience: Duration

    /// - Parameters:
    ///   - patience: how long a load may be without a document until it has timed out.
    ///   - begin: called with a page whose phone nobody has asked for, and the phone's id. It keeps the view, or the page is
    ///     nobody's.
    package init(
        _ bridge: Bridge, patience: Duration = .seconds(30),
        begin: @escaping @MainActor (String, ConnectedWebView) -> Void
    ) {
        self.patience = patience
        table = TabTable(bridge, ofPhones: true)
        table.follow { [weak self] tab in
            guard let self, let phone = tab.phone else { return }
            begin(phone, self.view(of: tab))
        }
    }

    /// What a phone shows, before anything is loaded.
    package func view(_ phone: String) -> ConnectedWebView { view(of: table.tab(ofPhone: phone)) }

    private func view(of tab: ConnectedTab) -> ConnectedWebView {
        if let view = tab.view { return view }
        let view = ConnectedWebView(tab, table, patience)
        tab.view = view
        return view
    }
}
