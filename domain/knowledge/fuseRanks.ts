/** The constant suggested by the method's authors; it limits the weight of the first ranks. */
const SOFTENING = 60;

/** Reciprocal rank fusion: the sum of 1 / (60 + rank), as a fraction of the best possible. Ties keep their order. */
export function fuseRanks(rankings: readonly (readonly string[])[]): { id: string; score: number }[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [index, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + (SOFTENING + 1) / (SOFTENING + index + 1) / rankings.length);
    }
  }
  return [...scores].map(([id, score]) => ({ id, score })).toSorted((a, b) => b.score - a.score);
}
