import { ActionIcon } from '@mantine/core';
import { IconBraces, IconListDetails } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { isJsonObject, type Json } from '../../../../domain/json.ts';
import { RULE_OPERATORS, type Rule } from '../../../../domain/rule/rule.ts';
import { useEditing, useFormPlace } from '../editing/Editing.tsx';
import { useEvaluated } from '../expression/ExpressionField.tsx';
import { nodeOf } from '../model/graphChanges.ts';
import { exampleOf } from '../model/knownValues.ts';
import { JsonField } from './JsonField.tsx';
import { FRESH_RULE, RuleRows } from './RuleRows.tsx';
import { FIELDS } from './words.ts';

const words = FIELDS.rules;

interface FilterFieldProps {
  label: string;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  required: boolean;
  help: string | undefined;
  error: string | undefined;
}

/** Edits the rules of an action on the items of a list, as rows or as JSON. */
export function FilterField({ help, ...props }: FilterFieldProps) {
  const { value, onChange, error } = props;
  const { isReadOnly } = useEditing();
  const [wantsRules, setWantsRules] = useState(true);
  const paths = useItemPaths();
  const rules = value === undefined ? [FRESH_RULE] : isRules(value) ? value : undefined;
  const label = wantsRules ? words.asText : words.asRules;
  const Icon = wantsRules ? IconBraces : IconListDetails;
  const change = !isReadOnly && rules !== undefined && (
    <ActionIcon
      variant="default"
      size={wantsRules ? 30 : 36}
      aria-label={`${label}: ${props.label}`}
      title={label}
      onClick={() => setWantsRules(!wantsRules)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
  if (!wantsRules || rules === undefined) return <JsonField {...props} help={help} aside={change} />;
  return (
    <RuleRows
      {...props}
      rules={rules}
      paths={paths}
      aside={change}
      error={value === undefined || rules.length === 0 ? error : undefined}
      onChange={(next) => onChange(next as unknown as Json)}
    />
  );
}

/** Whether rows can show the value without a loss. */
function isRules(value: Json): value is Json & Rule[] {
  if (!Array.isArray(value)) return false;
  return value.every(
    (one) =>
      isJsonObject(one) &&
      typeof one.field === 'string' &&
      (RULE_OPERATORS as readonly unknown[]).includes(one.operator) &&
      Object.keys(one).every((key) => ['field', 'operator', 'value'].includes(key)),
  );
}

/** Lists the paths of the first item, with two levels. */
function useItemPaths(): string[] {
  const { draft } = useEditing();
  const { node, known, scope } = useFormPlace();
  const given = nodeOf(draft.definition, node)?.inputs?.items;
  const evaluated = useEvaluated(given, scope);
  return useMemo(() => {
    const real = evaluated !== undefined && 'value' in evaluated ? evaluated.value : undefined;
    const items = real ?? (given === undefined ? undefined : exampleOf(given, known));
    const first = Array.isArray(items) ? items[0] : undefined;
    if (!isJsonObject(first)) return [];
    return Object.entries(first).flatMap(([key, member]) =>
      isJsonObject(member) ? [key, ...Object.keys(member).map((inner) => `${key}.${inner}`)] : [key],
    );
  }, [evaluated, given, known]);
}
