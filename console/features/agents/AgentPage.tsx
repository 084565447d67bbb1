import { Button, Grid, Group, Stack, Tabs, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { FileUIPart } from 'ai';
import { Suspense } from 'react';
import { ME, useMay } from '../../app/api/me.ts';
import { changeOutbox, newMessage } from '../../app/delivery/outbox.ts';
import { UnreadyPage } from '../../app/pages/UnreadyPage.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { Composer } from './chat/Composer.tsx';
import { createTask, refreshTasks } from './chat/mutations.ts';
import { TaskList } from './chat/TaskList.tsx';
import { AGENTS, CHAT } from './chat/words.ts';
import { agent } from './queries.ts';
import './chat/chat.css';

const words = AGENTS;

const AgentSettings = lazyPart(() => import('./settings/AgentSettings.tsx'), 'AgentSettings');
const Memories = lazyPart(() => import('./settings/Memories.tsx'), 'Memories');
const Sharing = lazyPart(() => import('./settings/Sharing.tsx'), 'Sharing');

export function Agent() {
  const { agentId } = useParams({ from: '/frame/agents/$agentId' });
  const { tab = 'tasks', view } = useSearch({ from: '/frame/agents/$agentId' });
  const navigate = useNavigate();
  const may = useMay();
  const { isSuccess } = useQuery(ME);
  const query = useQuery({ ...agent(agentId, may('agents:read')), enabled: isSuccess });
  if (query.data === undefined) {
    return <UnreadyPage title={words.title} query={query} missing={words.notFound} list="/agents" />;
  }
  const { name, description, suggestedPrompts = [] } = query.data;
  const mayWrite = may('agents:write');
  const set = (search: SearchOf<'/frame/agents/$agentId'>) =>
    void navigate({ to: `/agents/${agentId}`, search, replace: true });
  const tasks = (
    <Grid>
      <Grid.Col span={{ base: 12, md: 8 }} order={{ base: 1, md: 2 }}>
        {may('agents:use') && <NewTask agentId={agentId} suggestions={suggestedPrompts} />}
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }} order={{ base: 2, md: 1 }}>
        <TaskList agentId={agentId} />
      </Grid.Col>
    </Grid>
  );
  return (
    <Page title={name}>
      {description != null && description !== '' && <Text mb="md">{description}</Text>}
      {may('agents:read') ? (
        <Tabs value={tab} onChange={(value) => set({ tab: value ?? 'tasks' })} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="tasks">{words.tabs.tasks}</Tabs.Tab>
            <Tabs.Tab value="settings">{words.tabs.settings}</Tabs.Tab>
            <Tabs.Tab value="memories">{words.tabs.memories}</Tabs.Tab>
            {mayWrite && <Tabs.Tab value="sharing">{words.tabs.sharing}</Tabs.Tab>}
          </Tabs.List>
          <Tabs.Panel value="tasks">{tasks}</Tabs.Panel>
          <Suspense fallback={<Loading />}>
            <Tabs.Panel value="settings">
              <AgentSettings
                agentId={agentId}
                isCode={view === 'code'}
                mayWrite={mayWrite}
                onView={(isCode) => set({ tab: 'settings', view: isCode ? 'code' : undefined })}
              />
            </Tabs.Panel>
            <Tabs.Panel value="memories">
              <Memories agentId={agentId} />
            </Tabs.Panel>
            {mayWrite && (
              <Tabs.Panel value="sharing">
                <Sharing agentId={agentId} />
              </Tabs.Panel>
            )}
          </Suspense>
        </Tabs>
      ) : (
        tasks
      )}
    </Page>
  );
}

function NewTask({ agentId, suggestions }: { agentId: string; suggestions: readonly string[] }) {
  const navigate = useNavigate();
  const begin = useMutation({
    mutationFn: async ({ text, files }: { text: string; files?: readonly FileUIPart[] }) => {
      const id = await createTask(agentId);
      changeOutbox(agentId, id, () => [newMessage(text, files)]);
      return id;
    },
    onSuccess: async (taskId) => {
      refreshTasks();
      await navigate({ to: '/agents/$agentId/tasks/$taskId', params: { agentId, taskId } });
    },
  });
  return (
    <Stack gap="sm" className="new-task">
      <Text>{CHAT.newTaskHelp}</Text>
      {suggestions.length > 0 && (
        <Group gap="xs" role="group" aria-label={CHAT.suggestions}>
          {suggestions.map((text) => (
            <Button key={text} variant="light" size="xs" className="suggestion" onClick={() => begin.mutate({ text })}>
              {text}
            </Button>
          ))}
        </Group>
      )}
      {begin.error !== null && <ProblemAlert error={begin.error} />}
      <Composer
        agentId={agentId}
        onSend={(text, files) => begin.mutateAsync({ text, files })}
        isSending={begin.isPending}
      />
    </Stack>
  );
}
