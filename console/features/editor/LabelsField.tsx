import { useMemo } from 'react';
import { NamedRows } from '../../ui/form/RowsEditor.tsx';
import { FormPlaceProvider, useEditing, useFormPlace, useProblem } from './editing/Editing.tsx';
import { ExpressionField } from './expression/ExpressionField.tsx';
import { knownValues } from './model/knownValues.ts';
import { EDITOR } from './words.ts';

const words = EDITOR.settings;
const NONE = {};

export function LabelsField() {
  const { draft, changeDefinition, apps } = useEditing();
  const place = useFormPlace();
  const error = useProblem('labels');
  // Only the trigger is known before the start.
  const known = useMemo(
    () => ({ ...place, known: knownValues(draft.definition, 'trigger', apps, [], undefined) }),
    [place, draft.definition, apps],
  );
  const write = (labels: Record<string, string>) =>
    changeDefinition(
      ({ labels: _, ...rest }) => (Object.keys(labels).length === 0 ? rest : { ...rest, labels }),
      'labels',
    );
  return (
    <FormPlaceProvider value={known}>
      <NamedRows<string>
        label={words.labels}
        addLabel={words.addLabel}
        wish="label"
        field="labels"
        help={words.labelsHelp}
        error={error}
        stored={draft.definition.labels ?? NONE}
        fresh=""
        onChange={write}
      >
        {(label, at, text, change) => (
          <ExpressionField isBare label={label} field={at} value={text} previewed={text} onChange={change} />
        )}
      </NamedRows>
    </FormPlaceProvider>
  );
}
