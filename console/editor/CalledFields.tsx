import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isUuid } from '../../domain/isUuid.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { pathTo } from '../../domain/place.ts';
import { startFields } from '../data/editor.ts';
import { useMay } from '../data/me.ts';
import { EDITOR } from '../words/en/editor.ts';
import { useEditing } from './Editing.tsx';

const words = EDITOR.node;

interface CalledFieldsProps {
  inputs: JsonObject | undefined;
  onChange: (input: Json) => void;
}

/** What the workflow that a node starts is started with, as far as it is not given yet: a button adds each. */
export function CalledFields({ inputs = {}, onChange }: CalledFieldsProps) {
  const { isReadOnly } = useEditing();
  const may = useMay();
  const { workflowId, input = {} } = inputs;
  const isKnown = typeof workflowId === 'string' && isUuid(workflowId);
  const { data } = useQuery({ ...startFields(String(workflowId)), enabled: isKnown && may('workflows:read') });
  if (!isKnown || isReadOnly || !isJsonObject(input)) return null;
  const missing = data?.filter(({ key }) => !Object.hasOwn(input, key)) ?? [];
  if (missing.length === 0) return null;
  const add = (key: string) => {
    onChange({ ...input, [key]: '' });
    // One goes on with its value, once that is drawn.
    requestAnimationFrame(() => {
      const place = CSS.escape(pathTo('inputs.input', key));
      document.querySelector<HTMLElement>(`[data-field="${place}"] :is(textarea, .cm-content)`)?.focus();
    });
  };
  return (
    <Group gap={6}>
      <Text size="sm">{words.takes}</Text>
      {missing.map(({ key, label, required }) => (
        <Button
          key={key}
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          title={label}
          onClick={() => add(key)}
        >
          {required ? words.takesRequired(key) : key}
        </Button>
      ))}
    </Group>
  );
}
