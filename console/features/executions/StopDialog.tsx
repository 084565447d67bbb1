import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { isTyped, TypedNumber } from '../../ui/form/TypedNumber.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { type StopKind, stopExecution } from './mutations.ts';
import { type ExecutionWhole, refreshExecution } from './queries/executions.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION;

/** A termination skips all clean-up, so the user types the execution's number. */
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
    await stopExecution(executionId, kind, reason);
    refreshExecution(queries, executionId);
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
