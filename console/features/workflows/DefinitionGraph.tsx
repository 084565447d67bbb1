import type { components } from 'perdure-client';
import { useMemo } from 'react';
import { GraphView, type NodeFace, TRIGGER } from '../../ui/graph/GraphView.tsx';
import { type CatalogueNames, useCatalogueNames } from '../catalogue/catalogueNames.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS;

type Schemas = components['schemas'];

export interface DrawnDefinition {
  triggerNode: Schemas['TriggerNode'];
  nodes: readonly Schemas['Node'][];
  edges: readonly Schemas['Edge'][];
}

interface DefinitionGraphProps {
  definition: DrawnDefinition;
  isVertical: boolean;
  /** The name of the region; needed if a page has several graphs. */
  label?: string;
  chosen?: string | undefined;
  onChoose?: (nodeId: string) => void;
}

export function DefinitionGraph({ definition, isVertical, label = words.graph, ...choice }: DefinitionGraphProps) {
  const { triggerNode, edges } = definition;
  const { workName, nodeName } = useCatalogueNames();
  const nodes = useMemo(
    () => definition.nodes.map((node) => ({ ...node, name: nodeName(node) })),
    [definition.nodes, nodeName],
  );
  const notes = new Map(nodes.map((node) => [node.id, workOf(node, workName)]));
  const faceOf = (nodeId: string): NodeFace => ({ note: nodeId === TRIGGER ? words.begin : notes.get(nodeId) });
  return (
    <GraphView
      label={label}
      begin={words.triggers[triggerNode.type]}
      nodes={nodes}
      edges={edges}
      isVertical={isVertical}
      faceOf={faceOf}
      {...choice}
    />
  );
}

/** Example: `HTTP: Request`; for a control node its type. */
function workOf(node: Schemas['Node'], workName: CatalogueNames['workName']): string {
  return node.type === 'action' ? workName(node.appId, node.actionId) : words.nodeTypes[node.type];
}
