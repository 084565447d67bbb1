import { ActionIcon, NativeSelect, Stack } from '@mantine/core';
import { IconListDetails, IconMathFunction } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { isOneExpression } from '../../../../domain/expression/template.ts';
import type { Json } from '../../../../domain/json.ts';
import type { Rules } from '../../../../domain/rule/rule.ts';
import { ruleExpression } from '../../../../domain/rule/ruleExpression.ts';
import { readablePaths } from '../editing/completions.ts';
import { useEditing, useFormPlace } from '../editing/Editing.tsx';
import { ALWAYS, ExpressionField, FieldAside } from '../expression/ExpressionField.tsx';
import { RULES } from '../model/rules.ts';
import { textOf } from './Choices.tsx';
import { FRESH_RULE, RuleRows } from './RuleRows.tsx';
import { FIELDS } from './words.ts';

const words = FIELDS.rules;

interface ConditionFieldProps {
  label: string;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  required: boolean;
  help?: string | undefined;
  error: string | undefined;
}

const CONSTANTS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const EMPTY: Rules = { match: 'all', rules: [FRESH_RULE] };

/** A condition as rules and as the expression that they make. Other expressions have no rules. */
export function ConditionField({ help, value, onChange, ...shared }: ConditionFieldProps) {
  const { isReadOnly } = useEditing();
  const { known } = useFormPlace();
  const text = textOf(value);
  const [wantsRules, setWantsRules] = useState(true);
  /** Keeps unfinished rules, which the expression lacks. */
  const [written, setWritten] = useState<{ text: string; rules: Rules }>();
  const isOwn = written?.text === text;
  const { data: read } = useQuery({
    queryKey: ['rules', 'read', text],
    queryFn: () => RULES.ask({ ask: 'rules', expression: text.slice(2, -2) }),
    enabled: !isOwn && isOneExpression(text) && text.endsWith('}}'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const rules = isOwn ? written.rules : text === '' ? EMPTY : (read ?? undefined);
  const paths = useMemo(() => readablePaths(known).map(({ path }) => path), [known]);
  const write = (next: Rules) => {
    const expression = ruleExpression(next);
    const nextText = expression === '' ? '' : `{{ ${expression} }}`;
    setWritten({ text: nextText, rules: next });
    if (nextText !== text) onChange(nextText === '' ? undefined : nextText);
  };
  const label = wantsRules ? words.asExpression : words.asRules;
  const Icon = wantsRules ? IconMathFunction : IconListDetails;
  return (
    <Stack gap="xs">
      {wantsRules && rules !== undefined && (
        <>
          {rules.rules.length > 1 && (
            <NativeSelect
              label={words.match}
              disabled={isReadOnly}
              data={Object.entries(words.matches).map(([match, name]) => ({ value: match, label: name }))}
              value={rules.match}
              onChange={({ currentTarget }) => write({ ...rules, match: currentTarget.value as Rules['match'] })}
            />
          )}
          <RuleRows
            rules={rules.rules}
            field={`${shared.field}.rules`}
            paths={paths}
            onChange={(next) => write({ ...rules, rules: next })}
          />
        </>
      )}
      <FieldAside
        aside={
          rules !== undefined && (
            <ActionIcon
              variant="default"
              size={36}
              aria-label={label}
              title={label}
              onClick={() => setWantsRules(!wantsRules)}
            >
              <Icon size={16} aria-hidden />
            </ActionIcon>
          )
        }
      >
        <ExpressionField
          {...shared}
          help={read === null && !isOwn ? [help, words.notRules].filter(Boolean).join('. ') : help}
          isOneValue={ALWAYS}
          value={text}
          previewed={value}
          onChange={(next) => onChange(CONSTANTS.get(next.trim()) ?? (next === '' ? undefined : next))}
        />
      </FieldAside>
    </Stack>
  );
}
