import { Alert, Button, Text } from '@mantine/core';
import { isProblem } from 'perdure-client';
import { CHANGED_MEANWHILE } from './changedMeanwhileWords.ts';
import { ProblemAlert } from './ProblemAlert.tsx';

const words = CHANGED_MEANWHILE;

export const isChangedMeanwhile = (error: unknown) => isProblem(error, 'PRECONDITION_FAILED');

interface ChangedMeanwhileProps {
  /** Loads the newest version into the form. Absent in a dialog, which can be closed and opened again. */
  onReload?: () => void;
}

export function ChangedMeanwhile({ onReload }: ChangedMeanwhileProps) {
  return (
    <Alert color="yellow" role="alert" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
      <Text size="sm">
        {words.nothingStored} {onReload === undefined ? words.openAgain : words.copyFirst}
      </Text>
      {onReload !== undefined && (
        <Button size="xs" mt="xs" variant="default" onClick={onReload}>
          {words.reload}
        </Button>
      )}
    </Alert>
  );
}

export function SaveProblem({ error, ...changed }: ChangedMeanwhileProps & { error: unknown }) {
  if (error === null) return null;
  return isChangedMeanwhile(error) ? <ChangedMeanwhile {...changed} /> : <ProblemAlert error={error} />;
}
