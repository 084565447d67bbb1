import { type Definition, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';

/** Returns the trigger's edges that a definition implies: to top-level nodes without an incoming edge. */
export function impliedEdges({ nodes, edges }: Definition): Definition['edges'] {
  const targets = new Set(edges.map(({ target }) => target));
  return nodes
    .filter(({ id, parentId }) => parentId === undefined && !targets.has(id))
    .map(({ id }) => ({ id: `${TRIGGER_ID}>${id}`, source: TRIGGER_ID, target: id }));
}
