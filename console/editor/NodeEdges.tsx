import { ActionIcon, Button, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { TRIGGER_ID } from '../../domain/workflow/definition.ts';
import { SAYS } from '../parts/menuSays.ts';
import { EDITOR } from '../words/en/editor.ts';
import { useEditing } from './Editing.tsx';
import { edgeProblem, nodeOf, waysOut, withEdge, withoutEdges } from './graphChanges.ts';
import { labelOf } from './inputSpecs.ts';

const words = EDITOR.node;

/** Where a node, or the trigger, leads; edges can be added and removed without a pointer. */
export function NodeEdges({ id }: { id: string }) {
  const { draft, isReadOnly, changeDefinition, choose } = useEditing();
  const { definition } = draft;
  const edges = definition.edges.filter(({ source }) => source === id);
  const nameOf = (nodeId: string) => {
    const node = nodeOf(definition, nodeId);
    return node === undefined ? nodeId : labelOf(node);
  };
  // Looked for when it is asked: in a large graph it takes its time.
  const [isOpen, setIsOpen] = useState(false);
  const targets = (isOpen ? waysOut(definition, id) : []).flatMap((handle) =>
    definition.nodes
      .filter((node) => edgeProblem(definition, id, node.id, handle) === undefined)
      .map((node) => ({ handle, node })),
  );
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        {words.edges}
      </Title>
      {edges.length === 0 && <Text size="sm">{words.noEdges}</Text>}
      <Stack gap={2} mb="xs">
        {edges.map((edge) => (
          <Group key={edge.id} gap={4} wrap="nowrap">
            <IconArrowRight size={16} aria-hidden />
            <Button size="compact-sm" variant="subtle" onClick={() => choose([edge.target])}>
              {nameOf(edge.target)}
            </Button>
            {edge.sourceHandle !== undefined && <Text size="sm">{words.way(edge.sourceHandle)}</Text>}
            {!isReadOnly && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={words.disconnect(nameOf(edge.target))}
                onClick={() => changeDefinition((now) => withoutEdges(now, [edge.id]))}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        ))}
      </Stack>
      {!isReadOnly && id !== TRIGGER_ID && (
        <Menu position="bottom-start" opened={isOpen} onChange={setIsOpen}>
          <Menu.Target>
            <Button size="xs" variant="default">
              {words.connectTo}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className="editor-menu">
            {targets.length === 0 && <Menu.Item {...SAYS}>{words.noTargets}</Menu.Item>}
            {targets.map(({ handle, node }) => (
              <Menu.Item
                key={`${handle ?? ''} ${node.id}`}
                onClick={() => changeDefinition((now) => withEdge(now, id, node.id, handle))}
              >
                {labelOf(node)} {handle !== undefined && words.way(handle)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
