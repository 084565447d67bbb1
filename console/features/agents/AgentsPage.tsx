import './chat/chat.css';
import {
  Anchor,
  Avatar,
  Badge,
  Button,
  Card,
  Group,
  Modal,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { choices, features, providerConnections } from '../../app/api/choices.ts';
import { ME, useMay } from '../../app/api/me.ts';
import { useNewForm } from '../../app/pages/newForms.ts';
import { Chip } from '../../ui/Chip.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { slugOf } from '../../ui/slug.ts';
import { EmptyList } from '../../ui/table/EmptyList.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { openTasks } from './chat/queries.ts';
import { isShowable } from './chat/untrustedContent.ts';
import { AGENTS } from './chat/words.ts';
import { type AgentCard, agentPages } from './queries.ts';
import { createAgent } from './settings/mutations.ts';
import { isSlugTaken } from './settings/queries.ts';
import { AGENT_SETTINGS } from './settings/words.ts';

const words = AGENTS;

export function Agents() {
  const may = useMay();
  const { isSuccess } = useQuery(ME);
  const mayRead = may('agents:read');
  const pages = useInfiniteQuery({ ...agentPages(mayRead), enabled: isSuccess });
  const open = useQuery(openTasks());
  const mayWrite = may('agents:write');
  const form = useNewForm(mayWrite);
  const agents = pages.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const count = (agentId: string, status: string) =>
    open.data?.filter(({ agent, latestRun }) => agent?.id === agentId && latestRun?.status === status).length ?? 0;
  return (
    <Page title={words.title} beside={mayWrite && <Button onClick={form.open}>{AGENT_SETTINGS.new}</Button>}>
      <Listing
        pages={pages}
        empty={
          mayRead ? (
            <EmptyList means={words.noneYet}>
              {mayWrite && <Button onClick={form.open}>{words.first}</Button>}
            </EmptyList>
          ) : (
            words.noneShared
          )
        }
      >
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} component="ul" className="cards" data-walked>
          {agents.map((each) => (
            <OneAgent
              key={each.id}
              agent={each}
              running={count(each.id, 'RUNNING')}
              asking={count(each.id, 'NEEDS_APPROVAL')}
            />
          ))}
        </SimpleGrid>
      </Listing>
      {form.isOpen && <NewAgent onClose={form.close} />}
    </Page>
  );
}

function OneAgent({ agent, running, asking }: { agent: AgentCard; running: number; asking: number }) {
  const {
    id,
    name,
    description,
    profileImageUrl,
    selectedModelId,
    toolIds,
    workflows,
    subAgents,
    managedByCode,
    project,
  } = agent;
  const tools = (toolIds?.length ?? 0) + (workflows?.length ?? 0) + (subAgents?.length ?? 0);
  const picture = profileImageUrl != null && isShowable(profileImageUrl, location.origin) ? profileImageUrl : undefined;
  return (
    <Card withBorder component="li">
      <Group wrap="nowrap" align="flex-start">
        <Avatar src={picture ?? null} name={name} color="initials" alt="" aria-hidden />
        <Stack gap={4} style={{ minWidth: 0 }}>
          <Anchor component={Link} to={`/agents/${id}`} fw={600} className="card-name">
            {name}
          </Anchor>
          {description != null && description !== '' && (
            <Text size="sm" lineClamp={3}>
              {description}
            </Text>
          )}
          {selectedModelId !== undefined && (
            <Text size="sm">{[selectedModelId, words.tools(tools), project?.name].filter(Boolean).join(' · ')}</Text>
          )}
          <Group gap={6}>
            {running > 0 && <Chip tone="run">{words.running(running)}</Chip>}
            {asking > 0 && <Chip tone="ask">{words.asking(asking)}</Chip>}
            {managedByCode === true && (
              <Badge variant="default" tt="none">
                {words.byCode}
              </Badge>
            )}
          </Group>
        </Stack>
      </Group>
    </Card>
  );
}

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

function NewAgent({ onClose }: { onClose: () => void }) {
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
    <Modal opened onClose={onClose} title={AGENT_SETTINGS.new}>
      <form onSubmit={submit}>
        <Stack>
          {create.error !== null && <ProblemAlert error={create.error} />}
          {projects.length > 1 && (
            <NativeSelect
              label={AGENT_SETTINGS.project}
              value={projectId}
              onChange={(event) => setProject(event.currentTarget.value)}
              data={projects.map((each) => ({ value: each.id, label: each.name }))}
            />
          )}
          <TextInput
            label={AGENT_SETTINGS.labels.name}
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput
            label={AGENT_SETTINGS.labels.model}
            description={AGENT_SETTINGS.help.model}
            required
            value={model}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
          {connections.length > 0 && (
            <NativeSelect
              label={AGENT_SETTINGS.labels.aiConnectionId}
              value={aiConnectionId ?? ''}
              onChange={(event) => setChosen(event.currentTarget.value === '' ? null : event.currentTarget.value)}
              data={[
                { value: '', label: AGENT_SETTINGS.deployment },
                ...connections.map((each) => ({ value: each.id, label: each.name })),
              ]}
            />
          )}
          {has?.modelProvider === false && aiConnectionId === null && (
            <Text size="sm" role="status">
              {AGENT_SETTINGS.noProvider}{' '}
              <Anchor
                renderRoot={(props) => (
                  <Link to="/settings/connections" search={{ new: 'true' }} target="_blank" {...props} />
                )}
                underline="always"
              >
                {AGENT_SETTINGS.connect}
              </Anchor>{' '}
              {AGENT_SETTINGS.thenChoose}
            </Text>
          )}
          <Textarea
            label={AGENT_SETTINGS.labels.instructions}
            description={AGENT_SETTINGS.help.instructions}
            required
            autosize
            minRows={4}
            value={instructions}
            onChange={(event) => setInstructions(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending} disabled={name.trim() === '' || projectId === ''}>
            {AGENT_SETTINGS.create}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
