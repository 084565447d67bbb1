import { withExpressions } from '../../../../domain/expression/template.ts';
import { mapTexts } from '../../../../domain/json.ts';
import type { Definition } from '../../../../domain/workflow/definition.ts';
import { edgeOf } from './graphChanges.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

function memberText(root: string, key: string): string {
  return NAME.test(key) ? `${root}.${key}` : `${root}[${JSON.stringify(key)}]`;
}

/** Renames a node with all references: edges, nodes inside it, and expressions. */
export function withRenamedNode(definition: Definition, from: string, to: string): Definition {
  const names = new Map([[from, to]]);
  const { trigger, nodes, edges, output, labels } = definition;
  return {
    trigger,
    nodes: nodes.map((node) => ({
      ...node,
      id: node.id === from ? to : node.id,
      ...(node.parentId === from ? { parentId: to } : {}),
      ...(node.inputs === undefined ? {} : { inputs: withReferences(node.inputs, names) }),
    })),
    edges: edges.map((edge) => {
      const source = edge.source === from ? to : edge.source;
      const target = edge.target === from ? to : edge.target;
      const { sourceHandle } = edge;
      // A generated edge id contains its ends. Without a new one, a later node with the old id would create a
      // duplicate.
      const isOurs = edge.id === edgeOf(edge.source, edge.target, sourceHandle).id;
      return { ...edge, ...(isOurs ? { id: edgeOf(source, target, sourceHandle).id } : {}), source, target };
    }),
    ...(output === undefined ? {} : { output: withReferences(output, names) }),
    ...(labels === undefined ? {} : { labels }),
  };
}

/** Matches references to nodes: `steps.ask`, `loops["a-b"]`. */
const NAMED = /\b(steps|loops)(?:\.([A-Za-z_][A-Za-z0-9_]*)|\[(["'])([^"'\]]+)\3\])/g;

/** Replaces node ids in expressions. `names`: from old to new ids. */
export function withReferences<T>(value: T, names: ReadonlyMap<string, string>): T {
  return mapTexts(value, (text) => withExpressions(text, (expression) => renamedIn(expression, names)));
}

function renamedIn(expression: string, names: ReadonlyMap<string, string>): string {
  return expression.replace(
    NAMED,
    (all, root: string, name: string | undefined, _: unknown, quoted: string | undefined) => {
      const to = names.get(name ?? quoted ?? '');
      return to === undefined ? all : memberText(root, to);
    },
  );
}
