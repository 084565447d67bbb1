import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ExecutionMenu } from './ExecutionMenu.tsx';
import type { StopKind } from './mutations.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION;

export type ExecutionDialog = StopKind | 'retry' | 'raw';

interface ExecutionActsProps {
  executionId: string;
  isOpen: boolean;
  mayRun: boolean;
  onDialog: (dialog: ExecutionDialog) => void;
  onCopyLink: () => void;
}

export function ExecutionActs({ executionId, isOpen, mayRun, onDialog, onCopyLink }: ExecutionActsProps) {
  return (
    <Group gap="xs">
      <Button component={Link} to={`/executions/${executionId}/compare`} variant="default">
        {words.compare}
      </Button>
      {mayRun && !isOpen && <Button onClick={() => onDialog('retry')}>{words.retry}</Button>}
      {mayRun && isOpen && (
        <Button variant="default" onClick={() => onDialog('cancel')}>
          {words.cancel}
        </Button>
      )}
      {mayRun && isOpen && (
        <Button variant="subtle" color="red" c="var(--ink-bad)" onClick={() => onDialog('terminate')}>
          {words.terminate}
        </Button>
      )}
      <ExecutionMenu executionId={executionId} onCopyLink={onCopyLink} onRaw={() => onDialog('raw')} />
    </Group>
  );
}
