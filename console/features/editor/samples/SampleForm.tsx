import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { isEqualJson } from '../../../../domain/isEqualJson.ts';
import type { Json } from '../../../../domain/json.ts';
import { type Node, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { parsedJson } from '../../../ui/code/jsonText.ts';
import { useEditing } from '../editing/Editing.tsx';
import { exampleTrigger } from '../model/knownValues.ts';
import { refusalText, SAMPLES } from './words.ts';

const words = SAMPLES;

export function SampleForm({ node }: { node: Node | undefined }) {
  const { draft, apps, samples } = useEditing();
  const id = node?.id ?? TRIGGER_ID;
  const value = samples.values[id];
  const [written, setWritten] = useState({ text: textOf(value), value });
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  if (!isEqualJson(written.value ?? {}, value ?? {}) || (written.value === undefined) !== (value === undefined)) {
    // Changed by a test or another tab, or removed with all others.
    setWritten({ text: textOf(value), value });
    setProblem(undefined);
  }
  const give = (next: Json) => {
    const refusal = samples.keep(id, next);
    setProblem(refusal && refusalText(refusal));
  };
  const settle = () => {
    const text = written.text.trim();
    if (text === '') {
      setProblem(undefined);
      if (value !== undefined) samples.remove(id);
      return;
    }
    const read = parsedJson(text);
    if ('problem' in read) return setProblem(words.notJson);
    const next = read.value as Json;
    if (value !== undefined && isEqualJson(next, value)) return setProblem(undefined);
    give(next);
  };
  const action = apps
    .find(({ appId }) => appId === node?.appId)
    ?.actions.find(({ actionId }) => actionId === node?.actionId);
  const example = node === undefined ? exampleTrigger(draft.definition.trigger) : action?.outputExample;
  return (
    <details className="editor-more" data-sample={value !== undefined}>
      <summary>{words.title}</summary>
      <Stack gap="xs">
        <Text size="sm">{node === undefined ? words.triggerMeans : words.nodeMeans}</Text>
        <Textarea
          ref={field}
          label={words.field}
          description={words.fieldHelp}
          error={problem}
          autosize
          minRows={3}
          maxRows={16}
          spellCheck={false}
          styles={MONOSPACE}
          value={written.text}
          onChange={({ currentTarget: { value: text } }) => setWritten((now) => ({ ...now, text }))}
          onBlur={settle}
        />
        <Group gap="xs">
          {example !== undefined && value === undefined && (
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                give(example);
                field.current?.focus();
              }}
            >
              {words.example}
            </Button>
          )}
          {value !== undefined && (
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                samples.remove(id);
                field.current?.focus();
              }}
            >
              {words.remove}
            </Button>
          )}
        </Group>
      </Stack>
    </details>
  );
}

const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };

const textOf = (value: Json | undefined) => (value === undefined ? '' : JSON.stringify(value, null, 2));
