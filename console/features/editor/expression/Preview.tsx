import { Text } from '@mantine/core';
import { holdsExpression } from '../../../../domain/expression/template.ts';
import type { Json } from '../../../../domain/json.ts';
import { useEditing } from '../editing/Editing.tsx';
import { EDITOR } from '../words/editor.ts';
import { useEvaluated } from './useEvaluated.ts';

const words = EDITOR.input;
const SHOWN = 300;

/** What a field with expressions becomes with the values of the chosen execution, or of samples. */
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
  // Where no execution is chosen, not all that an expression reads has a sample yet: then nothing is wrong with it.
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
