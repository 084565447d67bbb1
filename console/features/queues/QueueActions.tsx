import { Button, Group, Input, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { type FormEvent, useState } from 'react';
import { CodeEditor } from '../../ui/code/CodeEditor.tsx';
import { CommonSettings } from '../../ui/form/CommonSettings.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { done, failed } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { SaveProblem } from '../../ui/problem/SaveProblem.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { actOnQueue, type QueueAct, updateQueue } from './mutations.ts';
import { type QueueRead, queueSettings, refreshQueues } from './queries.ts';
import { BOUNDS, NUMBERS, type QueueChange, queueChange, queueForm, schemaIn } from './queueForm.ts';
import { QUEUES } from './words.ts';

const words = QUEUES.page;

const MESSAGES: Record<QueueAct, string> = {
  pause: words.pausedDone,
  activate: words.activated,
  delete: words.deletedDone,
  restore: words.restoredDone,
};

export function QueueActions({ queue, mayWrite }: { queue: Answer<'getQueue'>; mayWrite: boolean }) {
  const { id, name, isActive, deletedAt } = queue;
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [isSetting, setSetting] = useState(false);
  const act = useMutation({
    mutationFn: (what: QueueAct) => actOnQueue(id, what),
    onSuccess: async (_, what) => {
      done(MESSAGES[what]);
      // The dialog closes when the queue has been read, together with the button that opened it.
      await refreshQueues(queries);
      setAsking(false);
    },
    onError: failed,
  });
  if (deletedAt != null) {
    return (
      mayWrite && (
        <Button loading={act.isPending} onClick={() => act.mutate('restore')}>
          {words.restore}
        </Button>
      )
    );
  }
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setSetting(true)}>
        {QUEUES.settings.button}
      </Button>
      {mayWrite && (
        <>
          <Button variant="default" loading={act.isPending} onClick={() => act.mutate(isActive ? 'pause' : 'activate')}>
            {isActive ? words.pause : words.activate}
          </Button>
          <Button variant="subtle" color="red" c="var(--ink-bad)" onClick={() => setAsking(true)}>
            {words.deleteQueue}
          </Button>
        </>
      )}
      {isSetting && <QueueSettings queueId={id} mayWrite={mayWrite} onClose={() => setSetting(false)} />}
      {isAsking && (
        <Modal opened onClose={() => setAsking(false)} title={words.deleteTitle(name)}>
          <Stack>
            <Text>{words.deleteMeans}</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setAsking(false)}>
                {words.leave}
              </Button>
              <Button color="red.9" loading={act.isPending} onClick={() => act.mutate('delete')}>
                {words.deleteQueue}
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </Group>
  );
}

interface QueueSettingsProps {
  queueId: string;
  mayWrite: boolean;
  onClose: () => void;
}

function QueueSettings({ queueId, mayWrite, onClose }: QueueSettingsProps) {
  const read = useQuery(queueSettings(queueId));
  const [round, setRound] = useState(0);
  const reload = async () => {
    await read.refetch();
    setRound((now) => now + 1);
  };
  return (
    <Modal opened onClose={onClose} title={QUEUES.settings.title}>
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
      done(QUEUES.settings.saved);
      void refreshQueues(queries);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (schemaIn(form) === undefined) return;
    const change = queueChange(before, form);
    if (Object.keys(change).length === 0) onClose();
    else save.mutate(change);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {!mayWrite && <Text size="sm">{QUEUES.settings.readOnly}</Text>}
        <CommonSettings words={QUEUES.settings} form={form} mayChange={() => mayWrite} onChange={set}>
          <TextInput
            label={QUEUES.settings.slug}
            description={QUEUES.settings.slugHelp}
            required={before.slug !== ''}
            pattern="[a-z0-9][a-z0-9_\-]{0,62}"
            title={QUEUES.settings.slugPattern}
            value={form.slug}
            disabled={!mayWrite}
            onChange={(event) => set({ slug: event.currentTarget.value })}
          />
        </CommonSettings>
        {NUMBERS.map((key) => (
          <NumberInput
            key={key}
            label={QUEUES.settings.numbers[key]}
            description={QUEUES.settings.numbersHelp[key]}
            required
            {...BOUNDS[key]}
            value={form[key]}
            disabled={!mayWrite}
            onChange={(value) => set({ [key]: value === '' ? '' : Number(value) })}
          />
        ))}
        <Input.Wrapper
          label={QUEUES.settings.dataSchema}
          description={QUEUES.settings.dataSchemaHelp}
          labelElement="div"
          error={schemaIn(form) === undefined ? QUEUES.settings.notASchema : undefined}
        >
          <CodeEditor
            label={QUEUES.settings.dataSchema}
            language="json"
            value={form.dataSchema}
            {...(mayWrite ? { onChange: (dataSchema: string) => set({ dataSchema }) } : {})}
          />
        </Input.Wrapper>
        <SaveProblem error={save.error} onReload={onReload} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {mayWrite ? QUEUES.page.leave : WORDS.close}
          </Button>
          {mayWrite && (
            <Button type="submit" loading={save.isPending}>
              {QUEUES.settings.save}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
