import { Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { acknowledgeExecution } from './mutations.ts';
import { type ExecutionWhole, refreshExecution, refreshExecutionLists } from './queries/executions.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION;

interface AcknowledgeDialogProps {
  execution: ExecutionWhole;
  onClose: () => void;
}

export function AcknowledgeDialog({ execution: { id }, onClose }: AcknowledgeDialogProps) {
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const acknowledge = async () => {
    await acknowledgeExecution(id, note);
    refreshExecution(queries, id);
    refreshExecutionLists(queries);
  };
  return (
    <ActDialog
      title={words.acknowledgeTitle}
      means={words.acknowledgeMeans}
      button={words.acknowledge}
      onAct={acknowledge}
      onClose={onClose}
    >
      <Textarea
        label={WORDS.executions.note}
        maxLength={1000}
        autosize
        minRows={2}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </ActDialog>
  );
}
