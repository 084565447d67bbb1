import { Select } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useMemo } from 'react';
import { useEditing } from '../editing/Editing.tsx';
import { walkingOrder } from '../model/graphChanges.ts';
import { kindOfNode } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';

const words = EDITOR.graph;
const LISTED = 50;

interface NodeFinderProps {
  field: RefObject<HTMLInputElement | null>;
  onFind: (id: string) => void;
}

export function NodeFinder({ field, onFind }: NodeFinderProps) {
  const { draft, apps } = useEditing();
  const { definition } = draft;
  const choices = useMemo(() => {
    const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
    return walkingOrder(definition).flatMap((id) => {
      const node = nodes.get(id);
      if (node === undefined) return [];
      const names = new Set([node.name ?? id, id, kindOfNode(node, apps)]);
      return [{ value: id, label: [...names].join(' · ') }];
    });
  }, [definition, apps]);
  return (
    <Select
      ref={field}
      className="editor-finder"
      size="xs"
      aria-label={words.find}
      placeholder={words.find}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={null}
      data={choices}
      value={null}
      searchable
      // Both are needed: with the first alone, Mantine loses the option during fast typing, and Enter selects nothing.
      selectFirstOptionOnChange
      selectFirstOptionOnDropdownOpen
      limit={LISTED}
      nothingFoundMessage={words.notFound}
      comboboxProps={{ width: 320, position: 'bottom-start' }}
      onChange={(id) => {
        if (id !== null) onFind(id);
      }}
    />
  );
}
