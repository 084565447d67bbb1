import type { components } from 'perdure-client';
import { WORKFLOWS } from '../words/en/workflows.ts';
import { GraphView, type NodeFace, TRIGGER } from './GraphView.tsx';

const words = WORKFLOWS;

type Schemas = components['schemas'];

export interface DrawnDefinition {
  triggerNode: Schemas['TriggerNode'];
  nodes: readonly Schemas['Node'][];
  edges: readonly Schemas['Edge'][];
}

/** A definition as a graph: what stands there, and what each node does. */
export function DefinitionGraph({
  definition: { triggerNode, nodes, edges },
  isVertical,
}: {
  definition: DrawnDefinition;
  isVertical: boolean;
}) {
  const notes = new Map(nodes.map((node) => [node.id, workOf(node)]));
  const faceOf = (nodeId: string): NodeFace => ({ note: nodeId === TRIGGER ? words.begin : notes.get(nodeId) });
  return (
    <GraphView
      label={words.graph}
      begin={words.triggers[triggerNode.type]}
      nodes={nodes}
      edges={edges}
      isVertical={isVertical}
      faceOf={faceOf}
    />
  );
}

/** `http.request`, or the type of a control node in words. */
function workOf(node: Schemas['Node']): string {
  return node.type === 'action' ? `${node.appId}.${node.actionId}` : words.nodeTypes[node.type];
}
