import './chat/chat.css';
import { Anchor, Avatar, Badge, Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ME, useMay } from '../../app/api/me.ts';
import { Chip } from '../../ui/Chip.tsx';
import { Page } from '../../ui/Page.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { isShowable } from './chat/pictures.ts';
import { openTasks } from './chat/queries.ts';
import { AGENTS } from './chat/words.ts';
import { type AgentCard, agentPages } from './queries.ts';
import { NewAgent } from './settings/NewAgent.tsx';
import { AGENT_SETTINGS } from './settings/words.ts';

const words = AGENTS;

export function Agents() {
  const may = useMay();
  const { isSuccess } = useQuery(ME);
  const mayRead = may('agents:read');
  const pages = useInfiniteQuery({ ...agentPages(mayRead), enabled: isSuccess });
  const open = useQuery(openTasks());
  const [isNew, setNew] = useState(false);
  const agents = pages.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const count = (agentId: string, status: string) =>
    open.data?.filter(({ agent, latestRun }) => agent?.id === agentId && latestRun?.status === status).length ?? 0;
  return (
    <Page
      title={words.title}
      beside={may('agents:write') && <Button onClick={() => setNew(true)}>{AGENT_SETTINGS.new}</Button>}
    >
      <Listing pages={pages} empty={mayRead ? words.noneYet : words.noneShared}>
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
      {isNew && <NewAgent onClose={() => setNew(false)} />}
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
