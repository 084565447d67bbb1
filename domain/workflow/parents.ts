import { pathTo } from '../place.ts';
import { isLoop, MAXIMUM_LOOP_DEPTH, type Node } from './definition.ts';
import type { PlacedNode } from './nodeShape.ts';
import type { Problems } from './problems.ts';

export function checkParents(nodes: readonly PlacedNode[], declared: ReadonlySet<string>, problems: Problems): void {
  const byId = new Map(nodes.map(({ node }) => [node.id, node]));
  for (const { node, path } of nodes) {
    const { id, parentId } = node;
    if (parentId === undefined) continue;
    const report = (message: string): void => problems.add(pathTo(path, 'parentId'), message, id);
    const parent = byId.get(parentId);
    if (!declared.has(parentId)) report(`there is no node ${parentId}`);
    else if (parent !== undefined && !isLoop(parent.type)) {
      report(`the node ${parentId} is not a loop: it cannot contain nodes`);
    } else {
      const around = loopsAround(byId, id);
      const depth = around.length + (isLoop(node.type) ? 1 : 0);
      if (around.includes(id)) report('a loop cannot contain itself');
      else if (depth > MAXIMUM_LOOP_DEPTH)
        report(`loops are nested ${depth} deep, at most ${MAXIMUM_LOOP_DEPTH} are allowed`);
    }
  }
}

/** Returns the loops around a node, the innermost first; stops if they form a circle. */
export function loopsAround(nodes: ReadonlyMap<string, Pick<Node, 'parentId'>>, nodeId: string): string[] {
  const around: string[] = [];
  for (let at = nodes.get(nodeId)?.parentId; at !== undefined; at = nodes.get(at)?.parentId) {
    if (around.includes(at)) return around;
    around.push(at);
  }
  return around;
}
