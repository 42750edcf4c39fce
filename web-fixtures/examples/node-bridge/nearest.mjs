// Names that an unknown one may have been meant to be (PROTOCOL.md, rule F3).

/**
 * Up to three: those that differ only in case or normalisation, then in spaces and punctuation, then by an edit
 * distance of at most a third.
 * @param {string} name
 * @param {Iterable<string>} known
 */
export function nearest(name, known) {
  // Only so much of a name is compared: a request must not be able to make this expensive.
  if (name.length > 256) return [];
  const found = [];
  for (const candidate of known) {
    const rank = difference(name, candidate);
    if (rank !== undefined) found.push({ candidate, rank });
  }
  return found.sort((a, b) => a.rank - b.rank).slice(0, 3).map(({ candidate }) => candidate);
}

const folded = (text) => text.normalize("NFC").toLowerCase();
const bare = (text) => folded(text).replace(/[^\p{L}\p{N}]/gu, "");

function difference(name, candidate) {
  if (folded(name) === folded(candidate)) return 0;
  if (bare(name) !== "" && bare(name) === bare(candidate)) return 1;
  const longest = Math.max(name.length, candidate.length);
  const allowed = longest < 3 ? 0 : Math.max(1, Math.floor(longest / 3));
  const distance = editDistance([...name], [...candidate]);
  return distance <= allowed ? 1 + distance : undefined;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.length][b.length];
}
