import { Button, Modal, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { choices } from '../../data/choices.ts';
import { client } from '../../session.ts';
import { AGENT_SETTINGS } from '../../words/en/agentSettings.ts';
import { ProblemAlert } from '../ProblemAlert.tsx';

const words = AGENT_SETTINGS;

/** A slug out of a name: `Order desk` is `order-desk`. */
export const slugOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100);

/** The slug, or the first of `slug-2`, `slug-3`, … that no agent of the project has: an upsert would change that agent. */
async function freeSlug(projectId: string, slug: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const wanted = count === 1 ? slug : `${slug}-${count}`;
    const taken = await client.listAgents({ query: { filterBy: `projectId:${projectId},slug:${wanted}` } });
    if (taken.length === 0) return wanted;
  }
}

/** What a new agent needs; all else has its default, and is set on its page. */
export function NewAgent({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data: projects = [] } = useQuery(choices('listProjects'));
  const [project, setProject] = useState('');
  const [name, setName] = useState('');
  const [model, setModel] = useState('');
  const [instructions, setInstructions] = useState('');
  const projectId = project === '' ? (projects[0]?.id ?? '') : project;
  const create = useMutation({
    mutationFn: async () =>
      client.upsertAgent({
        path: { projectId },
        body: {
          slug: await freeSlug(projectId, slugOf(name)),
          name: name.trim(),
          model: model.trim(),
          instructions,
          managedByCode: false,
        },
      }),
    onSuccess: async ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['listAgents'] });
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
          <Textarea
            label={words.labels.instructions}
            description={words.help.instructions}
            required
            autosize
            minRows={4}
            value={instructions}
            onChange={(event) => setInstructions(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending} disabled={slugOf(name) === '' || projectId === ''}>
            {words.create}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
