import { Input } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useRef } from 'react';
import type { Json } from '../../../../domain/json.ts';
import type { CodeMark } from '../../../ui/code/CodeArea.tsx';
import { CodeEditor } from '../../../ui/code/CodeEditor.tsx';
import { FullScreenButton } from '../../../ui/code/FullScreenButton.tsx';
import { loaded } from '../../../ui/load/lazyPart.ts';
import { useEditing, useFormPlace } from '../editing/Editing.tsx';
import { FullScreenEditor, useEvaluated } from '../expression/ExpressionField.tsx';
import { nodeOf } from '../model/graphChanges.ts';
import { exampleOf } from '../model/knownValues.ts';

interface JavaScriptFieldProps {
  label: string;
  field: string;
  value: string;
  onChange: (text: string) => void;
  required: boolean;
  help: string | undefined;
  error: string | undefined;
}

/** The names that the sandbox has, apart from `input`. */
const SANDBOX = {
  ...{ Array, Boolean, Date, Error, JSON, Map, Math, Number, Object, Promise, RegExp, Set, String },
  ...{ isNaN, parseFloat, parseInt, console: { log: null, info: null, warn: null, error: null } },
};

/** The code of a step: marks the place that does not parse, and completes the members of `input`. */
export function JavaScriptField({ label, field, value, onChange, required, help, error }: JavaScriptFieldProps) {
  const { isReadOnly } = useEditing();
  const marks = useMarks(field, value);
  const names = useRef<Record<string, unknown>>(SANDBOX);
  names.current = { ...SANDBOX, input: useInputValue() };
  const { data: language } = useQuery({
    queryKey: ['library', 'javascript'],
    queryFn: () => loaded(() => import('../../../ui/code/javascript.ts')),
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Without the language the text is only not coloured.
  const extensions = useMemo(() => language?.javascriptWith(() => names.current) ?? [], [language]);
  const editor = {
    ...{ language: 'text' as const, label, value, marks, extensions },
    ...(isReadOnly ? {} : { onChange }),
  };
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      className="editor-wide"
      required={required}
      {...(help === undefined ? {} : { description: help })}
      error={error}
      errorProps={{ style: { whiteSpace: 'pre-wrap' } }}
      data-field={field}
    >
      <CodeEditor {...editor} minHeight="12rem" />
      <FullScreenButton title={label} size={24}>
        {() => (
          <Suspense fallback={null}>
            <FullScreenEditor {...editor} />
            {error !== undefined && <Input.Error>{error}</Input.Error>}
          </Suspense>
        )}
      </FullScreenButton>
    </Input.Wrapper>
  );
}

function useMarks(field: string, text: string): readonly CodeMark[] {
  const { problems } = useEditing();
  const { node } = useFormPlace();
  return useMemo(
    () =>
      problems.flatMap(({ node: of, field: at, spot, path, message }) => {
        if (of !== node || at !== field || spot === undefined) return [];
        const before = text.split('\n').slice(0, spot.line - 1);
        const from = before.reduce((sum, line) => sum + line.length + 1, 0) + spot.column - 1;
        return [{ from, to: from + 1, path, message }];
      }),
    [problems, node, field, text],
  );
}

/** Returns the step's input with the values of the chosen execution, or else with examples. */
function useInputValue(): Json | undefined {
  const { draft } = useEditing();
  const { node, known, scope } = useFormPlace();
  const given = nodeOf(draft.definition, node)?.inputs?.input;
  const evaluated = useEvaluated(given, scope);
  if (evaluated !== undefined && 'value' in evaluated) return evaluated.value;
  return given === undefined ? undefined : exampleOf(given, known);
}
