import { Button, Group, Modal, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { choices } from '../../app/api/choices.ts';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { createQueue } from './mutations.ts';
import { refreshQueues } from './queries.ts';
import { BOUNDS } from './queueForm.ts';
import { QUEUES } from './words.ts';

const words = QUEUES.make;

export function NewQueue({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const projects = useQuery(choices('listProjects'));
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState('');
  const [maxRetries, setRetries] = useState<number | string>(3);
  const [retryDelayMinutes, setDelay] = useState<number | string>(5);
  const projectId = chosen === '' ? (projects.data?.[0]?.id ?? '') : chosen;
  const make = useMutation({
    mutationFn: () =>
      createQueue(projectId, {
        name: name.trim(),
        maxRetries: Number(maxRetries),
        retryDelayMinutes: Number(retryDelayMinutes),
      }),
    onSuccess: ({ id }) => {
      void refreshQueues(queries);
      void navigate({ to: `/queues/${id}` });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={words.title}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={words.name}
            required
            maxLength={200}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NativeSelect
            label={words.project}
            value={projectId}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={(projects.data ?? []).map((project) => ({ value: project.id, label: project.name }))}
          />
          <NumberInput label={words.retries} required {...BOUNDS.maxRetries} value={maxRetries} onChange={setRetries} />
          <NumberInput
            label={words.delay}
            required
            {...BOUNDS.retryDelayMinutes}
            value={retryDelayMinutes}
            onChange={setDelay}
          />
          {make.error !== null && <ProblemAlert error={make.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {WORDS.close}
            </Button>
            <Button type="submit" loading={make.isPending} disabled={projectId === ''}>
              {words.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
