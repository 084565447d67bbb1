import { ActionIcon, Button, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Definition } from '../../../../domain/workflow/definition.ts';
import { MENU_NOTE } from '../../../ui/table/RowMenu.tsx';
import { useEditing } from '../editing/Editing.tsx';
import { edgeProblem, nodeOf, waysOut, withEdge, withoutEdges } from '../model/graphChanges.ts';
import { labelOf } from '../model/inputSpecs.ts';
import type { Spot } from '../model/palette.ts';
import { EDITOR } from '../words.ts';

const words = EDITOR.node;

interface NodeEdgesProps {
  id: string;
  /** Absent for the trigger, which has no ways. */
  onAdd?: (spot: Spot) => void;
  /** Edges of the trigger that the definition does not contain. */
  begins?: Definition['edges'];
}

export function NodeEdges({ id, onAdd, begins = [] }: NodeEdgesProps) {
  const { draft, isReadOnly, changeDefinition, choose } = useEditing();
  const { definition } = draft;
  const edges = definition.edges.filter(({ source }) => source === id);
  const nameOf = (nodeId: string) => {
    const node = nodeOf(definition, nodeId);
    return node === undefined ? nodeId : labelOf(node);
  };
  // The button at the top of the form adds a node by the plain way.
  const ways = waysOut(definition, id);
  const taken = new Set(edges.map(({ sourceHandle }) => sourceHandle));
  const open = ways.filter((way): way is string => way !== undefined && !taken.has(way));
  const connect = useRef<HTMLButtonElement>(null);
  // Computed only for the open menu: in a large graph it is slow.
  const [isOpen, setIsOpen] = useState(false);
  const targets = (isOpen ? ways : []).flatMap((handle) =>
    definition.nodes
      .filter((node) => edgeProblem(definition, id, node.id, handle) === undefined)
      .map((node) => ({ handle, node })),
  );
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        {words.edges}
      </Title>
      {edges.length === 0 && begins.length === 0 && (ways.length === 0 || ways.includes(undefined)) && (
        <Text size="sm">{words.noEdges}</Text>
      )}
      <Stack gap={2} mb="xs">
        {[...edges, ...begins].map((edge) => (
          <Group key={edge.id} gap={4} wrap="nowrap">
            <IconArrowRight size={16} aria-hidden />
            <Button size="compact-sm" variant="subtle" onClick={() => choose([edge.target])}>
              {nameOf(edge.target)}
            </Button>
            {edge.sourceHandle !== undefined && <Text size="sm">{words.way(edge.sourceHandle)}</Text>}
            {!isReadOnly && !begins.includes(edge) && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={words.disconnect(nameOf(edge.target))}
                onClick={() => {
                  // The button disappears with its edge, so the focus moves here first.
                  connect.current?.focus();
                  changeDefinition((now) => withoutEdges(now, [edge.id]));
                }}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        ))}
        {open.map((way) => (
          <Group key={way} gap={4} wrap="nowrap">
            <Text size="sm" style={{ flex: 1 }}>
              {words.openWay(way)}
            </Text>
            {!isReadOnly && onAdd !== undefined && (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={words.addBy(way)}
                onClick={() => onAdd({ after: id, way })}
              >
                {words.add}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {!isReadOnly && onAdd !== undefined && (
        <Menu position="bottom-start" opened={isOpen} onChange={setIsOpen}>
          <Menu.Target>
            <Button ref={connect} size="xs" variant="default">
              {words.connectTo}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className="editor-menu">
            {targets.length === 0 && <Menu.Item {...MENU_NOTE}>{words.noTargets}</Menu.Item>}
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
