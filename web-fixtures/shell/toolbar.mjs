import { byId } from "./elements.mjs";

/** Back, forward, reload or stop, and the progress of a load. */
export class Toolbar {
  /** @param {(name: string) => void} send */
  constructor(send) {
    byId("back").addEventListener("click", () => send("shell.back"));
    byId("forward").addEventListener("click", () => send("shell.forward"));
    byId("reload").addEventListener("click", () => send("shell.reloadOrStop"));
  }

  show({ canGoBack, canGoForward, isLoading, progress }) {
    byId("back").disabled = !canGoBack;
    byId("forward").disabled = !canGoForward;
    const reload = byId("reload");
    reload.disabled = false;
    reload.dataset.does = isLoading ? "stop" : "reload";
    reload.title = isLoading ? "Stop" : "Reload";
    reload.setAttribute("aria-label", reload.title);
    reload.querySelector("use").setAttribute("href", isLoading ? "#i-stop" : "#i-reload");
    byId("progress").hidden = progress === null;
    if (progress !== null) byId("progress").value = progress;
  }
}
