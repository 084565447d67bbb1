import { Button, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { CommonSettings } from '../../ui/form/CommonSettings.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { SaveProblem } from '../../ui/problem/SaveProblem.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { updateQueue } from './mutations.ts';
import { type QueueRead, queueSettings, refreshQueues } from './queries.ts';
import { BOUNDS, NUMBERS, type QueueChange, queueChange, queueForm } from './queueForm.ts';
import { QUEUES } from './words.ts';

const words = QUEUES.settings;

interface QueueSettingsProps {
  queueId: string;
  mayWrite: boolean;
  onClose: () => void;
}

export function QueueSettings({ queueId, mayWrite, onClose }: QueueSettingsProps) {
  const read = useQuery(queueSettings(queueId));
  const [round, setRound] = useState(0);
  const reload = async () => {
    await read.refetch();
    setRound((now) => now + 1);
  };
  return (
    <Modal opened onClose={onClose} title={words.title}>
      {read.data === undefined && read.error === null && <Loading />}
      {read.data === undefined && read.error !== null && (
        <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />
      )}
      {read.data !== undefined && (
        <Form key={round} read={read.data} mayWrite={mayWrite} onReload={() => void reload()} onClose={onClose} />
      )}
    </Modal>
  );
}

interface FormProps {
  read: QueueRead;
  mayWrite: boolean;
  onReload: () => void;
  onClose: () => void;
}

/** Keeps what the user has typed while the queue is refetched. */
function Form({ read, mayWrite, onReload, onClose }: FormProps) {
  const queries = useQueryClient();
  const [first] = useState(read);
  const [before] = useState(() => queueForm(first.queue));
  const [form, setForm] = useState(before);
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const save = useMutation({
    mutationFn: (body: QueueChange) => updateQueue(first, body),
    onSuccess: () => {
      done(words.saved);
      void refreshQueues(queries);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const change = queueChange(before, form);
    if (Object.keys(change).length === 0) onClose();
    else save.mutate(change);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {!mayWrite && <Text size="sm">{words.readOnly}</Text>}
        <CommonSettings words={words} form={form} mayChange={() => mayWrite} onChange={set}>
          <TextInput
            label={words.slug}
            description={words.slugHelp}
            required={before.slug !== ''}
            pattern="[a-z0-9][a-z0-9_\-]{0,62}"
            title={words.slugPattern}
            value={form.slug}
            disabled={!mayWrite}
            onChange={(event) => set({ slug: event.currentTarget.value })}
          />
        </CommonSettings>
        {NUMBERS.map((key) => (
          <NumberInput
            key={key}
            label={words.numbers[key]}
            description={words.numbersHelp[key]}
            required
            {...BOUNDS[key]}
            value={form[key]}
            disabled={!mayWrite}
            onChange={(value) => set({ [key]: value === '' ? '' : Number(value) })}
          />
        ))}
        <SaveProblem error={save.error} onReload={onReload} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {mayWrite ? QUEUES.page.leave : WORDS.close}
          </Button>
          {mayWrite && (
            <Button type="submit" loading={save.isPending}>
              {words.save}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
