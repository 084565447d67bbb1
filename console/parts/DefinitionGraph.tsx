import type { components } from 'perdure-client';
import { type CatalogueNames, useCatalogueNames } from '../data/catalogueNames.ts';
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
  const { workName } = useCatalogueNames();
  const notes = new Map(nodes.map((node) => [node.id, workOf(node, workName)]));
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

/** What it does, in words: `HTTP: Request`, or the type of a control node. */
function workOf(node: Schemas['Node'], workName: CatalogueNames['workName']): string {
  return node.type === 'action' ? workName(node.appId, node.actionId) : words.nodeTypes[node.type];
}
