import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { holdsExpression } from '../../../../domain/expression/template.ts';
import { isUuid } from '../../../../domain/isUuid.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import { pathTo } from '../../../../domain/place.ts';
import { useMay } from '../../../app/api/me.ts';
import { typeBySlug } from '../../entities/queries.ts';
import { schemaFields } from '../../entities/schemaFields.ts';
import { useEditing } from '../editing/Editing.tsx';
import { startFields } from '../editing/queries.ts';
import { EDITOR } from '../words.ts';

const words = EDITOR.node;

interface AttributeFieldsProps {
  inputs: JsonObject | undefined;
  onChange: (attributes: Json) => void;
}

export function AttributeFields({ inputs = {}, onChange }: AttributeFieldsProps) {
  const may = useMay();
  const { objectTypeSlug: slug, attributes = {} } = inputs;
  const isKnown = typeof slug === 'string' && slug !== '' && !holdsExpression(slug);
  const { data } = useQuery({ ...typeBySlug(String(slug)), enabled: isKnown && may('objects:read') });
  if (!isKnown || data === undefined || !isJsonObject(attributes)) return null;
  const fields = schemaFields(data.attributeSchema);
  return <MissingFields member="attributes" value={attributes} fields={fields} onChange={onChange} />;
}

interface CalledFieldsProps {
  inputs: JsonObject | undefined;
  onChange: (input: Json) => void;
}

export function CalledFields({ inputs = {}, onChange }: CalledFieldsProps) {
  const may = useMay();
  const { workflowId, input = {} } = inputs;
  const isKnown = typeof workflowId === 'string' && isUuid(workflowId);
  const { data = [] } = useQuery({ ...startFields(String(workflowId)), enabled: isKnown && may('workflows:read') });
  if (!isKnown || !isJsonObject(input)) return null;
  return <MissingFields member="input" value={input} fields={data} onChange={onChange} />;
}

interface MissingFieldsProps {
  member: string;
  value: Readonly<Record<string, Json>>;
  fields: readonly { key: string; label: string; required: boolean }[];
  onChange: (value: Json) => void;
}

/** Offers a button for each member that an object input may have and does not have yet. */
function MissingFields({ member, value, fields, onChange }: MissingFieldsProps) {
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
