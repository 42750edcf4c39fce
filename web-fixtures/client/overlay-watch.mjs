/** What keyframes have that moves nothing but the element itself and what is in it. */
const still = new Set(["offset", "computedOffset", "easing", "composite", "transform", "translate", "rotate", "scale", "opacity", "filter",
  "color", "backgroundColor", "backgroundPositionX", "backgroundPositionY", "boxShadow", "fill", "stroke", "strokeDashoffset", "visibility"]);

/** Sees everything by which a page can lay itself out anew, and asks for one measurement in the frame that follows. */
export class Watch {
  #window;
  #dom;
  #changed;
  #measure;
  #resizes;
  #mutations;
  #observed = new Set();
  #listeners = new AbortController();
  #root = null;
  #isWaiting = false;
  #frame = null;
  #animates = new WeakMap();

  /**
   * @param {Window} window
   * @param {ReturnType<import("./overlay-dom.mjs").dom>} dom
   * @param {{changed: (records: MutationRecord[]) => void, measure: (isLaidOut: boolean) => void}} of `changed`: the page's
   *   tree is another; `measure`: it is time to. `isLaidOut`: the browser has just laid out, and paints next.
   */
  constructor(window, dom, { changed, measure }) {
    this.#window = window;
    this.#dom = dom;
    this.#changed = changed;
    this.#measure = measure;
    this.#resizes = new window.ResizeObserver(() => this.#now(true));
    this.#mutations = new window.MutationObserver((records) => {
      if (dom.root() !== this.#root) this.#begin();
      changed(records);
    });
    this.#begin();
  }

  /** Begins with a document, and again when the page has written it anew, which took the listeners with it. */
  #begin() {
    const { document, visualViewport } = this.#window;
    this.#root = this.#dom.root();
    this.#mutations.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    const soon = this.#soon;
    const listen = (target, types, listener = soon) => {
      for (const type of types) target?.addEventListener(type, listener, { capture: true, passive: true, signal: this.#listeners.signal });
    };
    listen(this.#window, ["scroll"], this.#scrolled);
    listen(this.#window, ["load", "pageshow"], this.#atOnce);
    listen(this.#window, ["resize"]);
    listen(document, ["DOMContentLoaded", "readystatechange", "visibilitychange"], this.#atOnce);
    listen(document, [
      "load", "error", "loadedmetadata", "toggle", "input", "fullscreenchange", "transitionrun", "transitionend",
      "transitioncancel", "animationstart", "animationend", "animationcancel",
    ]);
    listen(document.fonts, ["loadingdone", "loadingerror"]);
    listen(visualViewport, ["resize", "scroll"]);
  }

  /** Watches the size of these, and of nothing else. */
  observe(elements) {
    const wanted = new Set(elements);
    for (const element of this.#observed) if (!wanted.has(element)) this.#resizes.unobserve(element);
    for (const element of wanted) if (!this.#observed.has(element)) this.#resizes.observe(element);
    this.#observed = wanted;
  }

  /** Watches no sizes until this frame is over: what changes now is the overlays' own doing. */
  pause() {
    const observed = this.#observed;
    this.observe([]);
    this.#window.setTimeout(() => {
      if (this.#observed.size === 0 && !this.#listeners.signal.aborted) this.observe(observed);
    });
  }

  /** Forgets what the overlays themselves have changed just now; what the page had changed before is told. */
  quietly(change) {
    const records = this.#mutations.takeRecords();
    if (records.length > 0) this.#changed(records);
    change();
    this.#mutations.takeRecords();
  }

  /**
   * Has the page measured once in the next frame: when its own code has run and the browser has laid it out, so that
   * nothing is laid out for the measurement alone.
   */
  schedule() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    if (this.#window.document.hidden || this.#root === null) {
      this.#window.setTimeout(() => this.#now(false)); // there are no frames
      return;
    }
    // An observer tells the size of what it begins to observe.
    this.#resizes.unobserve(this.#root);
    this.#resizes.observe(this.#root);
    if (!this.#observed.has(this.#root)) this.#observed.add(this.#root);
  }

  /**
   * To be called after each measurement: while the page moves something, there is one in each frame.
   * @param {(target: Element) => boolean | undefined} moves Whether what is measured moves with the element, if that is known.
   */
  follow(moves) {
    if (this.#frame !== null || !this.#window.document.getAnimations) return;
    const { document } = this.#window;
    // One that scrolling drives moves when there is an event of that.
    const isRunning = ({ playState, timeline }) => playState === "running" && (timeline === document.timeline || !timeline);
    if (!document.getAnimations().some((animation) => isRunning(animation) && this.#moves(animation, moves))) return;
    this.#frame = this.#window.requestAnimationFrame(() => {
      this.#frame = null;
      this.schedule();
    });
  }

  #moves(animation, moves) {
    const { effect } = animation;
    const isKnown = effect?.target ? moves(effect.target) : false;
    if (isKnown !== undefined) return isKnown;
    if (!this.#animates.has(animation)) {
      const names = effect.getKeyframes().flatMap((frame) => Object.keys(frame));
      this.#animates.set(animation, names.some((name) => !still.has(name)));
    }
    return this.#animates.get(animation);
  }

  stop() {
    this.#listeners.abort();
    this.#mutations.disconnect();
    this.#resizes.disconnect();
    if (this.#frame !== null) this.#window.cancelAnimationFrame(this.#frame);
    this.#isWaiting = true; // nothing is measured any more
  }

  #soon = () => this.schedule();

  #atOnce = () => {
    this.#changed([]);
    this.#now(false);
  };

  /** In a scroller within the page, what is over it has moved: its event is the first of the frame, and the place for it. */
  #scrolled = ({ target }) => {
    const time = this.#window.document.timeline?.currentTime ?? null;
    if (target === this.#window.document || (time !== null && time === this.#scrolledAt)) return this.schedule();
    this.#scrolledAt = time;
    this.#measure(false);
  };
  #scrolledAt;

  #now(isLaidOut) {
    this.#isWaiting = false;
    if (!this.#listeners.signal.aborted) this.#measure(isLaidOut);
  }
}
