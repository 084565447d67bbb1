import { Autocomplete, NativeSelect, Stack } from '@mantine/core';
import { needsValue, RULE_OPERATORS, type Rule, type RuleOperator } from '../../../../domain/rule/rule.ts';
import { RowsEditor } from '../../../ui/form/RowsEditor.tsx';
import { useEditing, useProblem } from '../editing/Editing.tsx';
import { JsonField } from './JsonField.tsx';
import { FIELDS } from './words.ts';

const words = FIELDS.rules;

export const FRESH_RULE: Rule = { field: '', operator: 'equals' };

interface RuleRowsProps {
  rules: readonly Rule[];
  field: string;
  /** Fields to choose from; others can be typed. */
  paths: readonly string[];
  error?: string | undefined;
  label?: string;
  help?: string | undefined;
  required?: boolean;
  aside?: React.ReactNode;
  onChange: (rules: Rule[]) => void;
}

/** Edits rules as rows of a field, an operator and a value. */
export function RuleRows({ rules, field, paths, label = words.title, onChange, ...list }: RuleRowsProps) {
  return (
    <RowsEditor
      {...list}
      label={label}
      addLabel={words.add}
      rows={rules}
      field={field}
      fresh={() => FRESH_RULE}
      nameOf={(_, index) => words.rule(index + 1)}
      onChange={onChange}
    >
      {(rule, index, change) => <RuleRow rule={rule} field={`${field}[${index}]`} paths={paths} onChange={change} />}
    </RowsEditor>
  );
}

interface RuleRowProps {
  rule: Rule;
  field: string;
  paths: readonly string[];
  onChange: (rule: Rule) => void;
}

const OPERATORS = RULE_OPERATORS.map((value) => ({ value, label: words.operators[value] }));

/** A hidden list would have the label of the field, too. */
const NO_CLOSED_LIST = { keepMounted: false };

/** Options to show at once; typing finds the others. */
const MAX_SHOWN = 50;

function RuleRow({ rule, field, paths, onChange }: RuleRowProps) {
  const { isReadOnly } = useEditing();
  const problems = {
    field: useProblem(`${field}.field`),
    operator: useProblem(`${field}.operator`),
    value: useProblem(`${field}.value`),
  };
  const { value, ...others } = rule;
  return (
    <Stack gap={6}>
      <Autocomplete
        label={words.field}
        data-field={`${field}.field`}
        error={problems.field}
        disabled={isReadOnly}
        data={[...paths]}
        limit={MAX_SHOWN}
        openOnFocus={false}
        comboboxProps={NO_CLOSED_LIST}
        value={rule.field}
        onChange={(path) => onChange({ ...rule, field: path })}
      />
      <NativeSelect
        label={words.operator}
        data-field={`${field}.operator`}
        error={problems.operator}
        disabled={isReadOnly}
        data={OPERATORS}
        value={rule.operator}
        onChange={({ currentTarget }) => {
          const operator = currentTarget.value as RuleOperator;
          onChange(needsValue(operator) ? { ...rule, operator } : { ...others, operator });
        }}
      />
      {needsValue(rule.operator) && (
        <JsonField
          label={words.value}
          field={`${field}.value`}
          error={problems.value}
          value={value}
          onChange={(next) => onChange(next === undefined ? others : { ...others, value: next })}
        />
      )}
    </Stack>
  );
}
