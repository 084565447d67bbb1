/** A node of a case: `pay`, in an iteration of its loop `pay[2]`, of a workflow that the case runs besides `alarm/tell`. */
export interface CasePlace {
  /** Slug; absent: any workflow that has the node. */
  workflow?: string;
  nodeId: string;
  /** Indices of the innermost loops, the last one of the node's own; empty: every iteration. */
  indices: number[];
}

const PLACE = /^(?:([^/[\]]+)\/)?([^/[\]]+)((?:\[\d+\])*)$/;

/** Undefined for any other text. */
export function casePlace(text: string): CasePlace | undefined {
  const [, workflow, nodeId, indices = ''] = PLACE.exec(text) ?? [];
  if (nodeId === undefined) return undefined;
  const numbers = [...indices.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return { ...(workflow === undefined ? {} : { workflow }), nodeId, indices: numbers };
}

/** A step as it runs. */
export interface CaseStep {
  /** Slug of its execution's workflow. */
  workflow: string;
  nodeId: string;
  /** Of the loops around it, the innermost last. */
  indices: readonly number[];
}

/** Whether a place names a step. */
export function names(place: CasePlace, { workflow, nodeId, indices }: CaseStep): boolean {
  if (place.nodeId !== nodeId || (place.workflow !== undefined && place.workflow !== workflow)) return false;
  const last = indices.slice(Math.max(indices.length - place.indices.length, 0));
  return place.indices.length === last.length && place.indices.every((index, at) => index === last[at]);
}

/** Of the entries whose place names the step the one that says more: an iteration before all, a workflow before any. */
export function closest<T extends { place: CasePlace }>(entries: readonly T[], step: CaseStep): T | undefined {
  const weight = ({ place }: T) => 2 * place.indices.length + (place.workflow === undefined ? 0 : 1);
  return entries.filter(({ place }) => names(place, step)).sort((a, b) => weight(b) - weight(a))[0];
}
