/** `pay`, `pay[2]` in an iteration of its loop, or `alarm/tell` in another workflow that the case runs. */
export interface CasePlace {
  /** Slug; absent: any workflow that contains the node. */
  workflow?: string;
  nodeId: string;
  /** Indices of the innermost loops, the node's own last. Empty: every iteration. */
  indices: number[];
}

const PLACE = /^(?:([^/[\]]+)\/)?([^/[\]]+)((?:\[\d+\])*)$/;

export function casePlace(text: string): CasePlace | undefined {
  const [, workflow, nodeId, indices = ''] = PLACE.exec(text) ?? [];
  if (nodeId === undefined) return undefined;
  const numbers = [...indices.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return { ...(workflow === undefined ? {} : { workflow }), nodeId, indices: numbers };
}

export interface CaseStep {
  workflow: string;
  nodeId: string;
  indices: readonly number[];
}

export function names(place: CasePlace, { workflow, nodeId, indices }: CaseStep): boolean {
  if (place.nodeId !== nodeId || (place.workflow !== undefined && place.workflow !== workflow)) return false;
  const last = indices.slice(Math.max(indices.length - place.indices.length, 0));
  return place.indices.length === last.length && place.indices.every((index, at) => index === last[at]);
}

export function closest<T extends { place: CasePlace }>(entries: readonly T[], step: CaseStep): T | undefined {
  const weight = ({ place }: T) => 2 * place.indices.length + (place.workflow === undefined ? 0 : 1);
  return entries.filter(({ place }) => names(place, step)).sort((a, b) => weight(b) - weight(a))[0];
}
