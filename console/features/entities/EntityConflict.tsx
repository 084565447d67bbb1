import { Alert, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Field } from '../../ui/form/FieldForm.tsx';
import { CHANGED_MEANWHILE } from '../../ui/problem/changedMeanwhileWords.ts';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import type { ChangedByBoth, EntityValues } from './entityChange.ts';
import { valueText } from './valueText.ts';
import { OBJECTS } from './words.ts';

const words = OBJECTS.meeting;

interface EntityConflictProps {
  both: ChangedByBoth;
  now: EntityValues;
  fields: readonly Field[];
  onReload: () => Promise<void>;
}

/** Lists what somebody else also changed while the form was open, with the current values. */
export function EntityConflict({ both, now, fields, onReload }: EntityConflictProps) {
  const reload = useMutation({ mutationFn: onReload });
  const labelOf = (key: string) => fields.find((field) => field.key === key)?.label ?? key;
  const changed = [
    ...(both.name ? [words.now(OBJECTS.name, now.name)] : []),
    ...both.attributes.map((key) => words.now(labelOf(key), valueText(now.attributes[key]))),
  ];
  return (
    <Alert color="yellow" role="alert" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
      <Text size="sm">{words.title}</Text>
      <ul>
        {changed.map((each) => (
          <li key={each}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {each}
            </Text>
          </li>
        ))}
      </ul>
      <Text size="sm">{words.again}</Text>
      {reload.error !== null && <ProblemAlert error={reload.error} />}
      <Button size="xs" mt="xs" variant="default" loading={reload.isPending} onClick={() => reload.mutate()}>
        {CHANGED_MEANWHILE.reload}
      </Button>
    </Alert>
  );
}
