import './knowledge.css';
import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { DeleteDialog } from '../../app/dialog/DeleteDialog.tsx';
import { UnreadyPage } from '../../app/pages/UnreadyPage.tsx';
import { FieldForm } from '../../ui/form/FieldForm.tsx';
import { done } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import { SaveProblem } from '../../ui/problem/SaveProblem.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { settingsFields } from './baseFields.ts';
import { Documents } from './Documents.tsx';
import { deleteBase, reloadBase, updateBase } from './mutations.ts';
import { BASE_LIST, baseKey, type KnowledgeWhole, knowledge } from './queries.ts';
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
    return <UnreadyPage title={words.title} query={query} missing={words.notFound} list="/knowledge" />;
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

interface BaseSettingsProps {
  base: KnowledgeWhole;
  /** ETag of the base as it was read, sent with the update. */
  etag: string | undefined;
}

/** Edits the base as it was when the page opened, so that other people's changes do not discard what the user types. */
function BaseSettings(first: BaseSettingsProps) {
  const [opened, setOpened] = useState(first);
  const reload = async () => {
    setOpened(await reloadBase(first.base.id));
  };
  return <Editor key={opened.etag} {...opened} reload={reload} />;
}

function Editor({ base, etag, reload }: BaseSettingsProps & { reload: () => Promise<void> }) {
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const isEmpty = (base.usage?.documents ?? 0) === 0;
  const save = useMutation({
    mutationFn: (values: Record<string, unknown>) =>
      updateBase(base.id, etag, {
        ...values,
        description: (values.description as string | undefined) ?? null,
      }),
    onSuccess: async () => {
      done(words.saved);
      await reload();
    },
  });
  const problem = isProblem(save.error) ? save.error : undefined;
  return (
    <Stack maw={640}>
      {!isEmpty && <Text size="sm">{words.fixed}</Text>}
      <SaveProblem error={save.error} onReload={() => void reload()} />
      <FieldForm
        fields={settingsFields(isEmpty)}
        initial={base}
        submitLabel={words.save}
        isBusy={save.isPending}
        problems={Object.fromEntries((problem?.errors ?? []).map(({ path, message }) => [path, message]))}
        onSubmit={(values) => save.mutate(values)}
      />
      <Group>
        <Button variant="default" c="var(--ink-bad)" onClick={() => setDeleting(true)}>
          {words.deleteBase}
        </Button>
      </Group>
      {isDeleting && (
        <DeleteDialog
          words={words}
          onDelete={() => deleteBase(base.id)}
          leave={() => navigate({ to: '/knowledge' })}
          own={baseKey(base.id)}
          list={BASE_LIST}
          onClose={() => setDeleting(false)}
        />
      )}
    </Stack>
  );
}
