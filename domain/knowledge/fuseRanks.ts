/** What tames the first places: the constant of the method, as its authors have it. */
const SOFTENING = 60;

/**
 * Several rankings of ids as one, by reciprocal rank fusion: the sum of 1 / (60 + rank) over the rankings, as a share of what
 * the first of all of them would have. Best first; of equals the one that was seen first.
 */
export function fuseRanks(rankings: readonly (readonly string[])[]): { id: string; score: number }[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [index, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + (SOFTENING + 1) / (SOFTENING + index + 1) / rankings.length);
    }
  }
  return [...scores].map(([id, score]) => ({ id, score })).toSorted((a, b) => b.score - a.score);
}
