import { Alert, Button, Text } from '@mantine/core';
import { isProblem } from 'perdure-client';
import { ProblemAlert } from './ProblemAlert.tsx';

export const CHANGED_MEANWHILE = {
  nothingStored: 'Someone else has changed this in the meantime, so your changes were not saved.',
  copyFirst: 'Your text is still here. Copy what you want to keep, then load the latest version.',
  openAgain: 'Close this, check the latest version, and try again.',
  reload: 'Load the latest version',
};

export const isChangedMeanwhile = (error: unknown) => isProblem(error, 'PRECONDITION_FAILED');

interface ChangedMeanwhileProps {
  /** Loads the newest version into the form. Absent in a dialog, which can be closed and opened again. */
  onReload?: () => void;
}

export function ChangedMeanwhile({ onReload }: ChangedMeanwhileProps) {
  return (
    <Alert color="yellow" role="alert" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
      <Text size="sm">
        {CHANGED_MEANWHILE.nothingStored}{' '}
        {onReload === undefined ? CHANGED_MEANWHILE.openAgain : CHANGED_MEANWHILE.copyFirst}
      </Text>
      {onReload !== undefined && (
        <Button size="xs" mt="xs" variant="default" onClick={onReload}>
          {CHANGED_MEANWHILE.reload}
        </Button>
      )}
    </Alert>
  );
}

export function SaveProblem({ error, ...changed }: ChangedMeanwhileProps & { error: unknown }) {
  if (error === null) return null;
  return isChangedMeanwhile(error) ? <ChangedMeanwhile {...changed} /> : <ProblemAlert error={error} />;
}
