import './chat.css';
import { Grid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { agent } from '../data/agents.ts';
import { ME, useMay } from '../data/me.ts';
import { NewTask } from '../parts/chat/NewTask.tsx';
import { TaskList } from '../parts/chat/TaskList.tsx';
import { Loading } from '../parts/Loading.tsx';
import { Page } from '../parts/Page.tsx';
import { ProblemAlert } from '../parts/ProblemAlert.tsx';
import { WORDS } from '../words/en.ts';

const words = WORDS.agents;

/** One agent: its tasks, and the begin of another. */
export function Agent() {
  const { agentId } = useParams({ strict: false }) as { agentId: string };
  const may = useMay();
  const { isSuccess } = useQuery(ME);
  const query = useQuery({ ...agent(agentId, may('agents:read')), enabled: isSuccess });
  if (query.data === undefined) return <NoAgent error={query.error} onRetry={() => void query.refetch()} />;
  const { name, description, suggestedPrompts = [] } = query.data;
  return (
    <Page title={name}>
      {description != null && <Text mb="md">{description}</Text>}
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }} order={{ base: 1, md: 2 }}>
          {may('agents:use') && <NewTask agentId={agentId} suggestions={suggestedPrompts} />}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }} order={{ base: 2, md: 1 }}>
          <TaskList agentId={agentId} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function NoAgent({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isMissing = isProblem(error) && error.status === 404;
  return (
    <Page title={words.title}>
      {error === null && <Loading />}
      {isMissing && <Text>{words.notFound}</Text>}
      {error !== null && !isMissing && <ProblemAlert error={error} onRetry={onRetry} />}
    </Page>
  );
}
