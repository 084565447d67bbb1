import type { Definition, Node } from '../../../../domain/workflow/definition.ts';

/** Graphs of delays for tests, and their edges as texts: `a>b`, `check:true>yes`. */

export const wait = (id: string, more: Partial<Node> = {}): Node => ({
  id,
  type: 'delay',
  inputs: { forMs: 1 },
  ...more,
});
const edges = (...texts: string[]) =>
  texts.map((text) => {
    const [from = '', target = ''] = text.split('>');
    const [source = '', handle] = from.split(':');
    return { id: text, source, target, ...(handle === undefined ? {} : { sourceHandle: handle }) };
  });
export const graph = (nodes: Node[], ...lines: string[]): Definition => ({
  trigger: { id: 'trigger', type: 'manual', config: {} },
  nodes,
  edges: edges(...lines),
});
export const lines = ({ edges: all }: Definition) =>
  all.map(
    ({ source, sourceHandle, target }) => `${source}${sourceHandle === undefined ? '' : `:${sourceHandle}`}>${target}`,
  );
