import { bodyEnd } from "./overlay-dom.mjs";

/** Positions are told in hundredths of a pixel: what is below that is noise of the browser's arithmetic. */
const round = (number) => Math.round(number * 100) / 100 + 0;

/**
 * Reads, without writing, where everything is.
 * @param {Window} window
 * @param {ReturnType<import("./overlay-dom.mjs").dom>} dom
 * @param {import("./overlay-places.mjs").Place[]} places
 * @param {{lowest: number, alone: (key: string, read: () => number) => number}} drawn `lowest`: where the lowest of the overlays
 *   ends in the document; `alone` calls `read` while no overlay lengthens the document, or knows its result for that key.
 */
export function measure(window, dom, places, drawn) {
  if (dom.root() === null) return nothing(places);
  const scroller = dom.scroller();
  const x = window.scrollX;
  const y = window.scrollY;
  const viewport = { width: scroller.clientWidth, height: scroller.clientHeight };
  const stacked = places.find(({ at }) => at.stacked);
  const own = documentHeight(window, dom, drawn);
  const clips = new Map();
  let reserved = 0;
  const anchors = places.map((place) => {
    if (place.at.stacked) return { at: place.at, count: 1, top: round(own), height: place.height, isRendered: true, clip: null };
    const { at, element } = place;
    const count = at.endOfContent ? 1 : place.count;
    if (element === null || !isRendered(window, element)) {
      return { at, count, top: 0, height: 0, isRendered: false, clip: null };
    }
    const rect = dom.rect(element);
    // What is meant, if the page lets it be so.
    const height = Math.abs(rect.height - place.before - place.height) < 0.5 ? place.height : rect.height - place.before;
    const { clip, isApart } = clipOf(dom, element, clips);
    if (!isApart) reserved += height;
    return {
      at, count, top: round(rect.bottom - height + y), height: round(height), isRendered: true,
      clip: clip && { top: round(clip.top + y), bottom: round(clip.bottom + y) },
    };
  });
  return {
    isLoaded: dom.readyState() === "complete",
    viewport,
    scroll: { x: round(x), y: round(y) },
    scale: window.visualViewport?.scale ?? 1,
    pageHeight: round(own - reserved),
    contentHeight: round(own + (stacked?.height ?? 0)),
    anchors,
  };
}

/** The measurement of a document in which there is nothing yet. */
function nothing(places) {
  const anchors = places.map(({ at }) => ({ at, count: at.placeholder === undefined ? 1 : 0, top: 0, height: 0, isRendered: false, clip: null }));
  const [viewport, scroll] = [{ width: 0, height: 0 }, { x: 0, y: 0 }];
  return { isLoaded: false, viewport, scroll, scale: 1, pageHeight: 0, contentHeight: 0, anchors };
}

/** How high the page's content is; where it does not fill the viewport, that is less than the browser lets one scroll over. */
function documentHeight(window, dom, drawn) {
  const scroller = dom.scroller();
  const root = dom.root();
  const rootEnd = dom.rect(root).bottom + (parseFloat(dom.style(root).marginBottom) || 0) * dom.zoom(root);
  const contentEnd = bodyEnd(window, dom) ?? rootEnd;
  // The body's end is a whole number: it counts only if content really reaches beyond the root.
  const bottom = (contentEnd - rootEnd >= 1 ? contentEnd : rootEnd) + window.scrollY;
  const { scrollHeight, clientHeight } = scroller;
  // A whole number, and the content's own end rounded if that is what it stands for.
  if (scrollHeight <= clientHeight || scrollHeight - bottom < 1) return bottom;
  if (drawn === undefined || drawn.lowest < scrollHeight - 1) return scrollHeight;
  // It reaches as far as an overlay does: what is stacked below the page, or was drawn where the page has ended since.
  return drawn.alone(JSON.stringify([bottom, scrollHeight]), () => documentHeight(window, dom));
}

function isRendered(window, element) {
  if (element.checkVisibility) return element.checkVisibility({ visibilityProperty: true, checkVisibilityCSS: true });
  return element.getClientRects().length > 0 && window.getComputedStyle(element).visibility === "visible";
}

/**
 * What the ancestors that scroll or clip let be seen of an element, in the viewport's coordinates.
 * @returns {{clip: {top: number, bottom: number} | null, isApart: boolean}} `isApart`: its height is not the page's.
 */
function clipOf(dom, element, cache) {
  const root = dom.root();
  const body = dom.body();
  let clip = null;
  let isApart = false;
  let { position } = dom.style(element);
  for (let at = element.parentElement; at && at !== root; at = at.parentElement) {
    if (position === "fixed") break;
    if (!cache.has(at)) cache.set(at, box(dom, at, at === body && dom.style(root).overflowY === "visible"));
    const found = cache.get(at);
    // What is positioned absolutely is clipped only from its containing block on.
    if (position === "absolute" && !found.contains) continue;
    position = found.position;
    if (!found.clips) continue;
    isApart ||= found.overflows;
    clip = { top: Math.max(found.top, clip?.top ?? -Infinity), bottom: Math.min(found.bottom, clip?.bottom ?? Infinity) };
  }
  return { clip, isApart: isApart || position === "fixed" };
}

function box(dom, element, isViewport) {
  const style = dom.style(element);
  const { position, overflowY } = style;
  const contains = position !== "static" || style.transform !== "none" || style.filter !== "none" || /paint|layout|strict|content/.test(style.contain);
  if (overflowY === "visible" || isViewport || element.offsetHeight === 0) {
    // An empty box that clips lets nothing be seen; an inline one does not clip.
    const clips = !isViewport && overflowY !== "visible" && element.offsetHeight === 0 && style.display !== "inline" && style.display !== "contents";
    const { top } = clips ? dom.rect(element) : { top: 0 };
    return { contains, position, clips, overflows: clips, top, bottom: top };
  }
  const rect = dom.rect(element);
  const scale = rect.height / element.offsetHeight;
  const top = rect.top + element.clientTop * scale;
  return {
    contains, position, clips: true, overflows: element.scrollHeight > element.clientHeight + 1, top, bottom: top + element.clientHeight * scale,
  };
}
