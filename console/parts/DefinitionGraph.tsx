import { useQuery } from '@tanstack/react-query';
import type { Answer, components } from 'perdure-client';
import { catalogue } from '../data/choices.ts';
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
  const { data: apps } = useQuery(catalogue());
  const notes = new Map(nodes.map((node) => [node.id, workOf(node, apps)]));
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

/** `HTTP: Request` (its ids until the catalogue is there), or the type of a control node in words. */
function workOf(node: Schemas['Node'], apps: Answer<'listWorkflowApps'> | undefined): string {
  if (node.type !== 'action') return words.nodeTypes[node.type];
  const app = apps?.find(({ appId }) => appId === node.appId);
  const action = app?.actions.find(({ actionId }) => actionId === node.actionId);
  return app === undefined || action === undefined ? `${node.appId}.${node.actionId}` : `${app.name}: ${action.name}`;
}
