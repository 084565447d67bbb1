import { Button, Modal, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { choices, features, providerConnections } from '../../../app/api/choices.ts';
import { useMay } from '../../../app/api/me.ts';
import { ProblemAlert } from '../../../ui/problem/ProblemAlert.tsx';
import { slugOf } from '../../../ui/slug.ts';
import { createAgent } from './mutations.ts';
import { isSlugTaken } from './queries.ts';
import { AGENT_SETTINGS } from './words.ts';

const words = AGENT_SETTINGS;

/** The slug for a name without a Latin letter or digit, such as 注文係. */
const ANY_SLUG = 'agent';

/** Returns the slug of the name, or the first of `slug-2`, `slug-3`, … that no agent of the project has. */
async function freeSlug(projectId: string, name: string): Promise<string> {
  const slug = slugOf(name) || ANY_SLUG;
  for (let count = 1; ; count += 1) {
    const wanted = count === 1 ? slug : `${slug}-${count}`;
    if (!(await isSlugTaken(projectId, wanted))) return wanted;
  }
}

export function NewAgent({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const may = useMay();
  const { data: projects = [] } = useQuery(choices('listProjects'));
  const [project, setProject] = useState('');
  const [name, setName] = useState('');
  const [model, setModel] = useState('');
  const [instructions, setInstructions] = useState('');
  const [chosen, setChosen] = useState<string | null>();
  const { data: connections = [] } = useQuery({ ...providerConnections(), enabled: may('connections:read') });
  const { data: has } = useQuery(features());
  // If the deployment has no model provider, an agent without a connection could not answer.
  const usual = has?.modelProvider === false ? (connections[0]?.id ?? null) : null;
  const aiConnectionId = chosen === undefined ? usual : chosen;
  const projectId = project === '' ? (projects[0]?.id ?? '') : project;
  const create = useMutation({
    mutationFn: async () =>
      createAgent(projectId, {
        slug: await freeSlug(projectId, name),
        name: name.trim(),
        model: model.trim(),
        instructions,
        aiConnectionId,
        managedByCode: false,
      }),
    onSuccess: async ({ id }) => {
      await navigate({ to: `/agents/${id}`, search: { tab: 'settings' } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={words.new}>
      <form onSubmit={submit}>
        <Stack>
          {create.error !== null && <ProblemAlert error={create.error} />}
          {projects.length > 1 && (
            <NativeSelect
              label={words.project}
              value={projectId}
              onChange={(event) => setProject(event.currentTarget.value)}
              data={projects.map((each) => ({ value: each.id, label: each.name }))}
            />
          )}
          <TextInput
            label={words.labels.name}
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput
            label={words.labels.model}
            description={words.help.model}
            required
            value={model}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
          {connections.length > 0 && (
            <NativeSelect
              label={words.labels.aiConnectionId}
              value={aiConnectionId ?? ''}
              onChange={(event) => setChosen(event.currentTarget.value === '' ? null : event.currentTarget.value)}
              data={[
                { value: '', label: words.deployment },
                ...connections.map((each) => ({ value: each.id, label: each.name })),
              ]}
            />
          )}
          {has?.modelProvider === false && aiConnectionId === null && (
            <Text size="sm" role="status">
              {words.noProvider}
            </Text>
          )}
          <Textarea
            label={words.labels.instructions}
            description={words.help.instructions}
            required
            autosize
            minRows={4}
            value={instructions}
            onChange={(event) => setInstructions(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending} disabled={name.trim() === '' || projectId === ''}>
            {words.create}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
