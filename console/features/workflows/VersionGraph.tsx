import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { TRIGGER } from '../../ui/graph/GraphView.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { Value } from '../values/Value.tsx';
import { DefinitionGraph, type DrawnDefinition } from './DefinitionGraph.tsx';
import { oneVersion, type WorkflowWhole } from './queries/workflows.ts';
import { VersionLink } from './VersionLink.tsx';
import { WORKFLOWS } from './words.ts';

type Search = SearchOf<'/frame/workflows/$workflowId'>;

const words = WORKFLOWS.versions;

interface VersionGraphProps {
  workflow: WorkflowWhole;
  version: number;
  search: Search;
  onChange: (change: Search) => void;
}

export function VersionGraph({ workflow, version, search, onChange }: VersionGraphProps) {
  const { id: workflowId, orientation } = workflow;
  const { data, error, refetch } = useQuery(oneVersion(workflowId, version));
  const heading = useRef<HTMLHeadingElement>(null);
  const isRead = data !== undefined;
  // The graph is below the list from which it was opened.
  useEffect(() => {
    if (isRead) heading.current?.focus();
  }, [isRead, version]);
  if (error !== null) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data?.triggerNode === undefined) return <Loading height={360} />;
  const { triggerNode, nodes = [], edges = [] } = data;
  const definition = { triggerNode, nodes, edges };
  const node = nodeIn(definition, search.node);
  const title = words.graphOf(version);
  return (
    <Stack gap="xs" component="section" aria-label={words.number(version)}>
      <Group>
        <Title order={2} size="h4" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => <VersionLink {...{ workflowId, search }} {...props} />}
        >
          {words.closeGraph}
        </Button>
      </Group>
      <div className="graph-short">
        <DefinitionGraph
          key={version}
          definition={definition}
          isVertical={orientation === 'vertical'}
          label={title}
          chosen={search.node}
          onChoose={(chosen) => onChange({ node: chosen })}
        />
      </div>
      {node === undefined ? (
        <Text size="sm">{words.chooseNode}</Text>
      ) : (
        <section aria-label={words.nodeOf(node.name)}>
          <Title order={3} size="h5">
            {node.name}
          </Title>
          <Value value={node.definition} />
        </section>
      )}
    </Stack>
  );
}

function nodeIn({ triggerNode, nodes }: DrawnDefinition, id: string | undefined) {
  if (id === TRIGGER) return { name: WORKFLOWS.triggers[triggerNode.type], definition: triggerNode };
  const found = nodes.find((node) => node.id === id);
  if (found === undefined) return undefined;
  const { position: _, ...definition } = found;
  return { name: found.name ?? found.id, definition };
}
