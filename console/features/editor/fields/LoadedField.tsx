import { type ComponentType, useRef, useState } from 'react';
import { holdsExpression } from '../../../../domain/expression/template.ts';
import { isJsonObject, type Json } from '../../../../domain/json.ts';
import { useMay } from '../../../app/api/me.ts';
import { useSaid } from '../../../ui/problem/ProblemAlert.tsx';
import { useEditing } from '../editing/Editing.tsx';
import { ALWAYS, ExpressionField } from '../expression/ExpressionField.tsx';
import type { InputSpec } from '../model/inputSpecs.ts';
import { OrExpression, textOf } from './Choices.tsx';
import { JsonField } from './JsonField.tsx';
import { LoadedFields, type MemberProps } from './LoadedFields.tsx';
import { OptionPills } from './OptionPills.tsx';
import { OptionSelect } from './OptionSelect.tsx';
import { useLoadedOptions } from './useLoadedOptions.ts';

interface LoadedFieldProps {
  spec: InputSpec;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  error: string | undefined;
  /** For the fields of an object. */
  Input: ComponentType<MemberProps>;
}

/** Chooses among what the service offers. People who may not use connections type the value. */
export function LoadedField(props: LoadedFieldProps) {
  const { spec, field, value, onChange, error } = props;
  const { isReadOnly } = useEditing();
  const mayLoad = useMay()('connections:use');
  const { label, required, help, loads } = spec;
  const common = { label, required, help, error, field };
  const what = loads?.what ?? 'one';
  const typed =
    what === 'one' ? (
      <ExpressionField
        {...common}
        isOneValue={ALWAYS}
        value={textOf(value)}
        previewed={value}
        onChange={(text) => onChange(text === '' ? undefined : text)}
      />
    ) : (
      <JsonField {...common} value={value} onChange={onChange} />
    );
  if (isReadOnly || !mayLoad) return typed;
  const isOpen = {
    one: holdsExpression(value),
    several: value !== undefined && listOf(value) === undefined,
    fields: value !== undefined && !isJsonObject(value),
  }[what];
  return (
    <OrExpression
      value={value}
      isOpen={isOpen}
      // A typed value stays when the list returns.
      onClear={() => isOpen && onChange(undefined)}
      plain={what === 'fields' ? <LoadedFields {...props} /> : <Chooser {...props} isMany={what === 'several'} />}
    >
      {typed}
    </OrExpression>
  );
}

interface ChooserProps extends Omit<LoadedFieldProps, 'Input'> {
  isMany: boolean;
}

function Chooser({ spec, field, value, onChange, error, isMany }: ChooserProps) {
  const [search, setSearch] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const chosen = isMany ? (listOf(value) ?? []) : textOf(value) === '' ? [] : [textOf(value)];
  const loaded = useLoadedOptions(spec, { search: search ?? '', isWanted: isOpen || chosen.length > 0 });
  // A label that could not be loaded is no failure of the form or of the page.
  useSaid(loaded.error);
  const list = wasOpen ? loaded : { ...loaded, error: null };
  // Labels stay known after another search.
  const labels = useRef(new Map<string, string>()).current;
  for (const option of list.options) labels.set(option.value, option.label);
  const shared = {
    ...{ spec, field, error, list, search, isOpen },
    nameOf: (one: string) => labels.get(one) ?? one,
    onSearch: setSearch,
    onOpen: (next: boolean) => {
      setOpen(next);
      if (next) setWasOpen(true);
    },
  };
  const set = (next: Json | undefined) => {
    if (JSON.stringify(next) !== JSON.stringify(value)) onChange(next);
  };
  return isMany ? (
    <OptionPills {...shared} chosen={chosen} onChange={(next) => set(next.length === 0 ? undefined : next)} />
  ) : (
    <OptionSelect {...shared} chosen={chosen[0]} onChoose={set} />
  );
}

/** Returns the texts of a list, or undefined if the value is none. */
function listOf(value: Json | undefined): string[] | undefined {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isList ? (value as string[]) : undefined;
}
