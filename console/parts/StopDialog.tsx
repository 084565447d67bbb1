import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../session.ts';
import { WORDS } from '../words/en.ts';
import { ProblemAlert } from './ProblemAlert.tsx';

const words = WORDS.execution;

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
  const stop = useMutation({
    mutationFn: () => {
      const given = { path: { executionId }, body: reason.trim() === '' ? {} : { reason: reason.trim() } };
      return kind === 'cancel' ? client.cancelExecution(given) : client.terminateExecution(given);
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['getExecution', executionId] });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={kind === 'cancel' ? words.cancelTitle : words.terminateTitle}>
      <Stack>
        {kind === 'terminate' && <Text>{words.terminateMeans}</Text>}
        <TextInput
          label={WORDS.executions.reason}
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {stop.error !== null && <ProblemAlert error={stop.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {WORDS.executions.dismiss}
          </Button>
          <Button color="red.9" loading={stop.isPending} onClick={() => stop.mutate()}>
            {kind === 'cancel' ? words.cancel : words.terminate}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
