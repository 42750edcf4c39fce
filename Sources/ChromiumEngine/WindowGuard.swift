/// The script that lets `window.open` return null where it would return a window of its own. The call is made, so that the
/// browser tells of it, with the gesture that it had; frames of this page are found by their names as ever.
enum WindowGuard {
    static let source = """
        {
          const { apply } = Reflect;
          const here = top;
          window.open = new Proxy(window.open, {
            apply(target, self, values) {
              const opened = apply(target, self, values);
              if (opened === null || opened.top === here) return opened;
              // Another window of that name is another window.
              opened.close();
              return null;
            },
          });
        }
        """
}
