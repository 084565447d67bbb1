import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../session.ts';
import { EXECUTION } from '../words/en/execution.ts';
import { WORDS } from '../words/en.ts';
import { ActDialog } from './ActDialog.tsx';

const words = EXECUTION;

export type StopKind = 'cancel' | 'terminate';

/** Asks before an execution is cancelled or terminated, with a reason that stays with it. */
export function StopDialog({
  kind,
  executionId,
  onClose,
}: {
  kind: StopKind;
  executionId: string;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const stop = async () => {
    const given = { path: { executionId }, body: reason.trim() === '' ? {} : { reason: reason.trim() } };
    await (kind === 'cancel' ? client.cancelExecution(given) : client.terminateExecution(given));
    void queries.invalidateQueries({ queryKey: ['getExecution', executionId] });
  };
  return (
    <ActDialog
      title={kind === 'cancel' ? words.cancelTitle : words.terminateTitle}
      means={kind === 'terminate' ? words.terminateMeans : undefined}
      button={kind === 'cancel' ? words.cancel : words.terminate}
      dismiss={WORDS.executions.dismiss}
      isDangerous
      onAct={stop}
      onClose={onClose}
    >
      <TextInput
        label={WORDS.executions.reason}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ActDialog>
  );
}
