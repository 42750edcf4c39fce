/**
 * Up to three names that somebody who wrote `name` may have meant, the nearest first, and what tells them apart: case or
 * normalisation only, then spaces or punctuation, then an edit distance of at most a third (PROTOCOL.md, F3).
 * @param {string} name
 * @param {Iterable<string>} names
 * @returns {{name: string, difference: string}[]}
 */
export function nearest(name, names) {
  const longest = 256; // only so much is compared: a request must not be able to make this expensive
  if (name.length > longest) return [];
  return [...names]
    .filter((candidate) => candidate.length <= longest)
    .map((candidate) => ({ name: candidate, ...compare(name, candidate) }))
    .filter(({ difference }) => difference !== undefined)
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name, difference }) => ({ name, difference }));
}

function compare(wanted, candidate) {
  if (candidate.normalize() === wanted.normalize()) return { edits: 0, difference: "differs in Unicode normalisation only" };
  if (candidate.normalize().toLowerCase() === wanted.normalize().toLowerCase()) {
    return { edits: 0, difference: "differs in upper and lower case only" };
  }
  if (fold(wanted) !== "" && fold(wanted) === fold(candidate)) {
    return { edits: 0.5, difference: "differs in spaces or punctuation only" };
  }
  const [from, to] = [[...wanted], [...candidate]];
  const length = Math.max(from.length, to.length);
  const edits = distance(from, to);
  if (length < 3 || edits > Math.max(1, Math.floor(length / 3))) return {};
  return { edits, difference: `differs in ${edits === 1 ? "one character" : `${edits} characters`}` };
}

const fold = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Insertions, deletions, replacements and swaps of neighbours that turn one into the other. */
function distance(from, to) {
  let beforeLast = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1), isSwap ? beforeLast[j - 2] + 1 : Infinity);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length];
}
