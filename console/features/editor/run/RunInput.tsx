import { Modal, Stack, Text } from '@mantine/core';
import { isProblem } from 'perdure-client';
import { MASK } from '../../../../domain/execution/maskSecrets.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import { TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { FieldForm } from '../../../ui/form/FieldForm.tsx';
import { problemsByField } from '../../../ui/form/fieldValues.ts';
import { JsonInput } from '../../../ui/form/JsonInput.tsx';
import { ProblemAlert } from '../../../ui/problem/ProblemAlert.tsx';
import { useEditing } from '../editing/Editing.tsx';
import { exampleTrigger } from '../model/knownValues.ts';
import { RUN } from './words.ts';

const words = RUN;

interface RunInputProps {
  isBusy: boolean;
  error: Error | null;
  onRun: (input: JsonObject) => void;
  onClose: () => void;
}

/** Asks for the input of a run; what is given becomes the sample of the trigger. */
export function RunInput({ isBusy, error, onRun, onClose }: RunInputProps) {
  const { draft, sample, samples } = useEditing();
  const { trigger } = draft.definition;
  const fields = trigger.type === 'manual' ? (trigger.config.fields ?? []) : [];
  const known = samples.values[TRIGGER_ID] ?? sample?.trigger;
  const given = isJsonObject(known) ? known : (exampleTrigger(trigger) as JsonObject);
  const initial = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== MASK && value !== null));
  const byField = problemsByField(isProblem(error) ? error : undefined, 'inputData');
  const isOfField = fields.some(({ key }) => byField[key] !== undefined);
  const run = (values: object) => onRun(values as Record<string, Json>);
  return (
    <Modal opened onClose={onClose} title={words.title} size="lg">
      <Stack>
        {error !== null && !isOfField && <ProblemAlert error={error} />}
        {fields.length > 0 ? (
          <FieldForm
            {...{ fields, initial, isBusy, problems: byField, submitLabel: words.submit }}
            onSubmit={(values) => run(values)}
          >
            <Text size="sm">{words.about}</Text>
          </FieldForm>
        ) : (
          <JsonInput
            {...{ isBusy, about: words.about, submitLabel: words.submit }}
            initial={trigger.type === 'manual' ? initial : given}
            onSubmit={run}
          />
        )}
      </Stack>
    </Modal>
  );
}
