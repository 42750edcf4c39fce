/** How much of the phone is around its screen, in CSS pixels of the device. */
const bezel = 15, chin = { ends: 96, sides: 16 };
/** What a toolbar needs; what is left under it belongs to the system's gesture bar. */
const leastBar = 44;

/**
 * How the phone is drawn: which system's, and every measure as a custom property of the style sheets.
 * @param {object} state As Swift sends it: `device` (as it is held now), `isRotated`, `platform`.
 * @returns {{look: "ios" | "android", place: "top" | "bottom", hasChin: boolean, home: "below" | "over" | "none", outer: {width: number, height: number},
 *   properties: Record<string, string>}}
 */
export function geometry({ device, isRotated, platform }) {
  const { width, height, page, safeArea, cornerRadius, cutout } = device;
  const look = { island: "ios", hole: "android" }[cutout] ?? platform;
  const hasChin = cutout === "none" && look === "ios";
  const { ends, sides } = hasChin ? chin : { ends: bezel, sides: bezel };
  const [across, along] = isRotated ? [ends, sides] : [sides, ends];
  const outer = { width: width + 2 * across, height: height + 2 * along };

  const place = look === "ios" && !isRotated ? "bottom" : "top";
  const rest = Math.max(0, height - safeArea.top - page.height);
  const strip = rest >= leastBar + safeArea.bottom ? safeArea.bottom : 0;
  const bar = rest - strip;
  const pageTop = safeArea.top + (place === "top" ? bar : 0);
  const pixels = {
    "--width": width, "--height": height, "--outer-width": outer.width, "--outer-height": outer.height,
    "--upright-width": isRotated ? outer.height : outer.width, "--upright-height": isRotated ? outer.width : outer.height,
    "--bezel": ends, "--screen-top": along, "--screen-left": across,
    "--radius": cornerRadius, "--body-radius": cornerRadius > 0 ? cornerRadius + bezel : 54,
    "--safe-top": safeArea.top, "--left": safeArea.left, "--right": safeArea.right,
    "--bar-height": bar, "--bar-top": place === "top" ? safeArea.top : pageTop + page.height, "--home": strip || safeArea.bottom,
    "--page-top": pageTop, "--page-left": Math.max(0, Math.min(safeArea.left, width - page.width)), "--page-width": page.width, "--page-height": page.height,
    // The light comes from above, however the phone is held.
    "--shadow-x": isRotated ? -30 : 0, "--shadow-y": isRotated ? 0 : 30,
  };
  const properties = Object.fromEntries(Object.entries(pixels).map(([name, value]) => [name, `${value}px`]));
  properties["--turn"] = isRotated ? "-90deg" : "0deg";
  return { look, place, hasChin, home: strip > 0 ? "below" : safeArea.bottom > 0 ? "over" : "none", outer, properties };
}
