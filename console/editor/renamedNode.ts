import { isJsonObject, type Json } from '../../domain/json.ts';
import type { Definition } from '../../domain/workflow/definition.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** How an expression names a member: `steps.ask`, or `steps["a-b"]` where the id is no name. */
export function memberText(root: string, key: string): string {
  return NAME.test(key) ? `${root}.${key}` : `${root}[${JSON.stringify(key)}]`;
}

/** The node under another id, wherever it is named: edges, what stands in it, and expressions. */
export function withRenamedNode(definition: Definition, from: string, to: string): Definition {
  const renamed = (text: string) => (text.includes('{{') ? renamedInText(text, from, to) : text);
  const { trigger, nodes, edges, output, labels } = definition;
  return {
    trigger,
    nodes: nodes.map((node) => ({
      ...node,
      id: node.id === from ? to : node.id,
      ...(node.parentId === from ? { parentId: to } : {}),
      ...(node.inputs === undefined ? {} : { inputs: mapped(node.inputs, renamed) as typeof node.inputs }),
    })),
    edges: edges.map((edge) => ({
      ...edge,
      source: edge.source === from ? to : edge.source,
      target: edge.target === from ? to : edge.target,
    })),
    ...(output === undefined ? {} : { output: mapped(output, renamed) }),
    ...(labels === undefined ? {} : { labels }),
  };
}

function renamedInText(text: string, from: string, to: string): string {
  const quoted = from.replace(/[-]/g, '\\$&');
  const named = new RegExp(`\\b(steps|loops)(?:\\.${quoted}(?![A-Za-z0-9_])|\\[(["'])${quoted}\\2\\])`, 'g');
  return text.replace(named, (_, root: string) => memberText(root, to));
}

function mapped(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item as Json, change)]));
}
