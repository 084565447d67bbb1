import { Alert, Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { CopyText } from '../../../ui/CopyText.tsx';
import type { CodeMark } from '../../../ui/code/CodeArea.tsx';
import { CodeEditor } from '../../../ui/code/CodeEditor.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { WORDS } from '../../../ui/words/words.ts';
import { useEditing } from '../editing/Editing.tsx';
import { type CodeFormat, codeOf, marksOf, readCode } from '../model/codeText.ts';
import { loadYaml } from '../model/loadYaml.ts';
import { EDITOR } from '../words.ts';

const words = EDITOR.code;

/** The text and the definition that it was parsed to; with a problem, the last valid definition. */
export interface WrittenCode {
  text: string;
  definition: unknown;
  format: CodeFormat;
  problem?: { problem: string; from?: number };
}

interface CodeViewProps {
  /** Kept by the page, so that an invalid text survives a visit to the graph. */
  written: WrittenCode | undefined;
  onWritten: (written: WrittenCode | undefined) => void;
  format: CodeFormat;
  onFormat: (format: CodeFormat) => void;
  /** The problem to scroll to; a new object scrolls again. */
  goal: { path: string } | undefined;
}

const NO_MARKS: readonly CodeMark[] = [];

/** Edits the definition as text. A valid text applies immediately; an invalid one leaves the graph unchanged. */
export function CodeView({ format, onFormat, goal, written, onWritten }: CodeViewProps) {
  const { draft, isReadOnly, problems, changeDefinition } = useEditing();
  const { definition } = draft;
  const { data: yaml } = useQuery({
    queryKey: ['library', 'yaml'],
    queryFn: loadYaml,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const problem = written?.problem;
  const now = useRef(definition);
  now.current = definition;
  useEffect(() => {
    if (yaml === undefined) return;
    if (written !== undefined && written.definition === definition && written.format === format) return;
    onWritten({ text: codeOf(yaml, definition, format), definition, format });
  }, [yaml, definition, format, written, onWritten]);
  const write = useMemo(
    () => (text: string) => {
      if (yaml === undefined) return;
      const read = readCode(yaml, text);
      if ('problem' in read) return onWritten({ text, definition: now.current, format, problem: read });
      onWritten({ text, definition: read.definition, format });
      changeDefinition(() => read.definition, 'code');
    },
    [yaml, format, changeDefinition, onWritten],
  );
  const text = written?.text;
  const marks = useMemo(() => {
    if (yaml === undefined || text === undefined) return NO_MARKS;
    if (problem === undefined) return marksOf(yaml, text, problems);
    const { from, problem: message } = problem;
    return from === undefined ? NO_MARKS : [{ from, to: from, path: '', message }];
  }, [yaml, text, problems, problem]);
  const shown = useRef(marks);
  shown.current = marks;
  const goTo = useMemo(() => shown.current.find(({ path }) => path === goal?.path), [goal, yaml === undefined]);
  if (written === undefined) return <Loading height={420} />;
  return (
    <Stack gap="xs">
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={words.format}
          data={[
            { value: 'yaml', label: words.formats.yaml },
            { value: 'json', label: words.formats.json },
          ]}
          // An invalid text cannot be converted to the other format.
          disabled={problem !== undefined}
          value={format}
          onChange={(value) => onFormat(value as CodeFormat)}
        />
        <CopyText size="xs" text={written.text} label={WORDS.copy(words.formats[format])} />
      </Group>
      {problem !== undefined && (
        <Alert color="yellow" role="alert" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {words.unreadable(problem.problem)}{' '}
          <Button size="compact-sm" variant="default" onClick={() => onWritten(undefined)}>
            {words.drop}
          </Button>
        </Alert>
      )}
      <CodeEditor
        language={format}
        label={words.label}
        minHeight="420px"
        value={written.text}
        marks={marks}
        goTo={goTo}
        {...(isReadOnly ? {} : { onChange: write })}
      />
    </Stack>
  );
}
