import { ActionIcon } from '@mantine/core';
import { IconBraces, IconListDetails } from '@tabler/icons-react';
import { useState } from 'react';
import { isJsonObject, type Json } from '../../../../domain/json.ts';
import { NamedRows } from '../../../ui/form/RowsEditor.tsx';
import { WORDS } from '../../../ui/words/words.ts';
import { useEditing, useProblem } from '../editing/Editing.tsx';
import { JsonField } from './JsonField.tsx';

const words = WORDS.named;

interface ValueFieldProps {
  label: string;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  isObject: boolean;
  /** Takes any value, and starts with rows if there is none. */
  isMostlyObject: boolean;
  required?: boolean;
  help?: string | undefined;
  error?: string | undefined;
}

/** Edits an object as rows or as text, and any other value as text. */
export function ValueField({ isObject, isMostlyObject, ...props }: ValueFieldProps) {
  const { value, onChange, error, ...shared } = props;
  const offersRows = isObject || isMostlyObject;
  const { isReadOnly } = useEditing();
  const [wantsRows, setWantsRows] = useState(
    value === undefined ? offersRows : isJsonObject(value) && (isObject || isFlat(value)),
  );
  const stored = value === undefined ? {} : isJsonObject(value) ? value : undefined;
  const change = (Icon: typeof IconBraces, label: string) =>
    isReadOnly || stored === undefined || !(offersRows || isJsonObject(value)) ? undefined : (
      <ActionIcon
        variant="default"
        size={wantsRows ? 30 : 36}
        aria-label={`${label}: ${props.label}`}
        title={label}
        onClick={() => setWantsRows(!wantsRows)}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    );
  if (!wantsRows || stored === undefined) return <JsonField {...props} aside={change(IconListDetails, words.asRows)} />;
  return (
    <NamedRows<Json>
      {...shared}
      addLabel={words.add}
      wish={words.wish}
      error={Object.keys(stored).length === 0 ? error : undefined}
      aside={change(IconBraces, words.asText)}
      stored={stored}
      fresh=""
      onChange={(next) => onChange(Object.keys(next).length === 0 ? undefined : next)}
    >
      {(label, place, member, write) => <Member label={label} field={place} value={member} onChange={write} />}
    </NamedRows>
  );
}

/** An empty text is shown as an empty field. */
function Member(props: { label: string; field: string; value: Json; onChange: (value: Json) => void }) {
  const { value, onChange } = props;
  const error = useProblem(props.field);
  return (
    <JsonField
      {...props}
      error={error}
      isBare
      value={value === '' ? undefined : value}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}

const isFlat = (value: Record<string, Json>) =>
  Object.values(value).every((member) => typeof member !== 'object' || member === null);
