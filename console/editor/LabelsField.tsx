import { Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { EDITOR } from '../words/en/editor.ts';
import { useEditing } from './Editing.tsx';
import { ExpressionField } from './ExpressionField.tsx';
import { FormPlaceProvider, useFormPlace, useProblem } from './FormPlace.tsx';
import { knownValues } from './knownValues.ts';
import { RowsEditor } from './RowsEditor.tsx';

const words = EDITOR.settings;

type Row = [key: string, text: string];

/** Labels of the executions. A key that is being written may be empty, or there twice, for a while. */
export function LabelsField() {
  const { draft, changeDefinition, apps } = useEditing();
  const place = useFormPlace();
  const error = useProblem('labels');
  const stored = draft.definition.labels ?? {};
  const [rows, setRows] = useState<Row[]>(Object.entries(stored));
  const written = Object.fromEntries(rows.filter(([key]) => key !== ''));
  if (JSON.stringify(written) !== JSON.stringify(stored)) setRows(Object.entries(stored));
  // Nothing but the trigger is known before the start.
  const known = useMemo(
    () => ({ ...place, known: knownValues(draft.definition, 'trigger', apps, [], undefined) }),
    [place, draft.definition, apps],
  );
  const write = (next: Row[]) => {
    setRows(next);
    const labels = Object.fromEntries(next.filter(([key]) => key !== ''));
    changeDefinition(
      ({ labels: _, ...rest }) => (Object.keys(labels).length === 0 ? rest : { ...rest, labels }),
      'labels',
    );
  };
  return (
    <FormPlaceProvider value={known}>
      <RowsEditor
        label={words.labels}
        addLabel={words.addLabel}
        rows={rows}
        field="labels"
        error={error}
        fresh={(): Row => [freeKey(rows), '']}
        nameOf={([key]) => key || words.labelKey}
        onChange={write}
      >
        {([key, text], index, change) => (
          <Stack gap={6}>
            <TextInput
              label={words.labelKey}
              value={key}
              onChange={({ currentTarget }) => change([currentTarget.value, text])}
            />
            <ExpressionField
              label={words.labelValue}
              field={`labels.${key || index}`}
              value={text}
              previewed={text}
              onChange={(value) => change([key, value])}
            />
          </Stack>
        )}
      </RowsEditor>
      <Text size="xs" c="var(--ink-neutral)">
        {words.labelsHelp}
      </Text>
    </FormPlaceProvider>
  );
}

function freeKey(rows: readonly Row[]): string {
  const taken = new Set(rows.map(([key]) => key));
  for (let count = rows.length + 1; ; count += 1) if (!taken.has(`label${count}`)) return `label${count}`;
}
