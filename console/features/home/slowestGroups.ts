import type { Statistics } from '../statistics/queries.ts';

type Group = Statistics['groups'][number];

export interface SlowGroup {
  key: string;
  name: string | null;
  p50Ms: number;
  p95Ms: number;
  /** The p95 of the previous period; undefined if no execution ended in it. */
  wasMs: number | undefined;
}

export function slowestGroups(groups: readonly Group[], before: readonly Group[], most: number): SlowGroup[] {
  const earlier = new Map(before.map(({ key, p95Ms }) => [key, p95Ms ?? undefined]));
  return groups
    .flatMap(({ key, name, p50Ms, p95Ms }) =>
      p50Ms === null || p95Ms === null ? [] : [{ key, name, p50Ms, p95Ms, wasMs: earlier.get(key) }],
    )
    .toSorted((one, other) => other.p95Ms - one.p95Ms)
    .slice(0, most);
}

/** Only a duration that doubled is worth marking. */
export const isSlower = ({ p95Ms, wasMs }: SlowGroup): boolean => wasMs !== undefined && p95Ms >= 2 * wasMs;
