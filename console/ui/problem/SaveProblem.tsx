import { Alert, Button, Text } from '@mantine/core';
import { isProblem } from 'perdure-client';
import { CHANGED_MEANWHILE } from './changedMeanwhileWords.ts';
import { ProblemAlert } from './ProblemAlert.tsx';

const words = CHANGED_MEANWHILE;

/** Whether a change was refused by its If-Match. */
export const isChangedMeanwhile = (error: unknown) => isProblem(error, 'PRECONDITION_FAILED');

interface ChangedMeanwhileProps {
  /** Puts the newest in place of what stands in the form; absent in a dialog, which is closed and opened again. */
  onReload?: () => void;
}

/** Somebody else was quicker: nothing was stored, and what was typed still stands there. */
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

/** Why a form was not saved; nothing where `error` is null. */
export function SaveProblem({ error, ...changed }: ChangedMeanwhileProps & { error: unknown }) {
  if (error === null) return null;
  return isChangedMeanwhile(error) ? <ChangedMeanwhile {...changed} /> : <ProblemAlert error={error} />;
}
