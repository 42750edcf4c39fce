/**
 * Up to three names that somebody who wrote `name` may have meant, the nearest first.
 * @param {string} name
 * @param {Iterable<string>} names
 * @returns {string[]}
 */
export function nearest(name, names) {
  const wanted = name.toLowerCase();
  return [...names]
    .map((candidate) => ({ candidate, edits: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(2, Math.min(name.length, candidate.length) / 3))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Levenshtein's edit distance. */
function distance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[to.length];
}
