/** The constant of the method, by its authors: it limits the weight of the first ranks. */
const SOFTENING = 60;

/**
 * Combines rankings of ids by reciprocal rank fusion: the sum of 1 / (60 + rank) over the rankings, as a fraction of
 * the best possible sum. Best first; ties in order of appearance.
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
