import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Json } from '../../../../domain/json.ts';
import { pathTo } from '../../../../domain/place.ts';
import { useEditing } from '../editing/Editing.tsx';
import { EDITOR } from '../words/editor.ts';

const words = EDITOR.node;

interface MissingFieldsProps {
  member: string;
  value: Readonly<Record<string, Json>>;
  fields: readonly { key: string; label: string; required: boolean }[];
  onChange: (value: Json) => void;
}

/** Offers a button for each member that an object input may have and does not have yet. */
export function MissingFields({ member, value, fields, onChange }: MissingFieldsProps) {
  const { isReadOnly } = useEditing();
  const missing = fields.filter(({ key }) => !Object.hasOwn(value, key));
  if (isReadOnly || missing.length === 0) return null;
  const add = (key: string) => {
    onChange({ ...value, [key]: '' });
    // Focus the new value once it is rendered.
    requestAnimationFrame(() => {
      const place = CSS.escape(pathTo(`inputs.${member}`, key));
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
