import { Text } from '@mantine/core';
import { holdsExpression } from '../../../../domain/expression/template.ts';
import type { Json } from '../../../../domain/json.ts';
import { useEditing } from '../editing/Editing.tsx';
import { EDITOR } from '../words/editor.ts';
import { useEvaluated } from './useEvaluated.ts';

const words = EDITOR.input;
const SHOWN = 300;

export function Preview({
  value,
  scope,
  label,
}: {
  value: Json | undefined;
  scope: string | undefined;
  label: string;
}) {
  const { hasRun, sample } = useEditing();
  const isOpen = value !== undefined && holdsExpression(value);
  const shown = useEvaluated(isOpen ? value : undefined, scope);
  if (!isOpen) return null;
  if (scope === undefined) {
    if (hasRun === undefined) return null;
    return (
      <Text size="xs" c="var(--ink-neutral)">
        {hasRun ? words.noSample : words.notRun}
      </Text>
    );
  }
  if (shown === undefined) return null;
  const isValue = 'value' in shown;
  // Without an execution, samples may not cover all that the expression reads, so a failure is not an error.
  const tone = isValue ? 'good' : sample?.executionId === '' ? 'neutral' : 'bad';
  return (
    <output aria-label={`${words.preview}: ${label}`} className="editor-preview" data-tone={tone}>
      {isValue ? `= ${cut(JSON.stringify(shown.value))}` : shown.problem}
    </output>
  );
}

function cut(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
