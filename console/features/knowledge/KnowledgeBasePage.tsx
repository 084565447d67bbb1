import './knowledge.css';
import { Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMay } from '../../app/api/me.ts';
import { UnreadyPage } from '../../app/pages/UnreadyPage.tsx';
import { Page } from '../../ui/Page.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { WORDS } from '../../ui/words/words.ts';
import { BaseSettings } from './BaseSettings.tsx';
import { Documents } from './Documents.tsx';
import { knowledge } from './queries.ts';
import { SavedQuestions } from './SavedQuestions.tsx';
import { SearchPlayground } from './SearchPlayground.tsx';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

export function KnowledgeBase() {
  const { knowledgeId } = useParams({ from: '/frame/knowledge/$knowledgeId' });
  const search = useSearch({ from: '/frame/knowledge/$knowledgeId' });
  const { tab = 'documents' } = search;
  const navigate = useNavigate();
  const may = useMay();
  const query = useQuery(knowledge(knowledgeId));
  const set = (change: SearchOf<'/frame/knowledge/$knowledgeId'>) =>
    void navigate({ to: `/knowledge/${knowledgeId}`, search: { ...search, ...change }, replace: true });
  if (query.data === undefined) {
    return (
      <UnreadyPage
        title={words.title}
        error={query.error}
        onRetry={() => void query.refetch()}
        missing={words.notFound}
        list={{ to: '/knowledge', label: WORDS.navigation.knowledge }}
      />
    );
  }
  const { base, etag } = query.data;
  const { name, description, usage } = base;
  return (
    <Page title={name}>
      {description != null && description !== '' && <Text mb="xs">{description}</Text>}
      {usage !== undefined && (
        <Text size="sm" mb="md">
          {words.totals(usage.documents, usage.parts, usage.tokens)}
        </Text>
      )}
      <Tabs
        value={tab}
        onChange={(value) => set({ tab: value ?? 'documents', document: undefined, part: undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="documents">{words.tabs.documents}</Tabs.Tab>
          <Tabs.Tab value="search">{words.tabs.search}</Tabs.Tab>
          <Tabs.Tab value="recall">{words.tabs.recall}</Tabs.Tab>
          {may('knowledge:write') && <Tabs.Tab value="settings">{words.tabs.settings}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="documents">
          <Documents knowledgeId={knowledgeId} />
        </Tabs.Panel>
        <Tabs.Panel value="search">
          <SearchPlayground knowledgeId={knowledgeId} search={search} onChange={set} />
        </Tabs.Panel>
        <Tabs.Panel value="recall">
          <SavedQuestions knowledgeId={knowledgeId} limit={search.limit} onChange={set} />
        </Tabs.Panel>
        {may('knowledge:write') && (
          <Tabs.Panel value="settings">
            <BaseSettings base={base} etag={etag} />
          </Tabs.Panel>
        )}
      </Tabs>
    </Page>
  );
}
