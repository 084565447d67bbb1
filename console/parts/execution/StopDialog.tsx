import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExecutionWhole } from '../../data/executions.ts';
import { client } from '../../session.ts';
import { EXECUTION } from '../../words/en/execution.ts';
import { WORDS } from '../../words/en.ts';
import { ActDialog } from '../dialog/ActDialog.tsx';
import { isTyped, TypedNumber } from '../form/TypedNumber.tsx';

const words = EXECUTION;

export type StopKind = 'cancel' | 'terminate';

/** Asks before an execution is cancelled or terminated, with a reason that stays with it. A termination cleans nothing up, so its number is typed. */
export function StopDialog({
  kind,
  execution: { id: executionId, executionNumber: number = 0 },
  onClose,
}: {
  kind: StopKind;
  execution: ExecutionWhole;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
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
      isDisabled={kind === 'terminate' && !isTyped(typed, number)}
      onAct={stop}
      onClose={onClose}
    >
      <TextInput
        label={WORDS.executions.reason}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {kind === 'terminate' && <TypedNumber number={number} typed={typed} onType={setTyped} />}
    </ActDialog>
  );
}
