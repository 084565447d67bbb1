import {
  Anchor,
  Button,
  Card,
  Group,
  MultiSelect,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { metadataFilter } from './metadataFilter.ts';
import {
  documentChoices,
  hitsOf,
  knowledgeDocument,
  knowledgeSearch,
  MAX_HITS,
  SEARCH_MODES,
  type SearchMode,
  USUAL_HITS,
} from './queries.ts';
import { useSavedQuestions } from './SavedQuestions.tsx';
import { MAX_QUESTIONS, nameOf, withQuestion } from './savedQuestions.ts';
import { KNOWLEDGE } from './words.ts';

type Search = SearchOf<'/frame/knowledge/$knowledgeId'>;

const words = KNOWLEDGE;

interface SearchPlaygroundProps {
  knowledgeId: string;
  search: Search;
  onChange: (change: Search) => void;
}

export function SearchPlayground({ knowledgeId, search, onChange }: SearchPlaygroundProps) {
  const { q = '', mode = 'hybrid', limit = String(USUAL_HITS), filter = '' } = search;
  const [question, setQuestion] = useState(q);
  const [metadata, setMetadata] = useState(filter);
  const [most, setMost] = useState<string | number>(limit);
  const isWrong = metadataFilter(metadata) === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWrong) onChange({ q: question.trim(), filter: metadata.trim(), limit: String(most) });
  };
  const [isSaving, setSaving] = useState(false);
  const modes: readonly SearchMode[] =
    mode === 'all'
      ? SEARCH_MODES
      : SEARCH_MODES.filter((each) => each === mode || (each === 'hybrid' && !(mode in words.modes)));
  const asked = { query: q, limit: hitsOf(limit), filter: metadataFilter(filter) ?? {} };
  return (
    <Stack>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={words.query}
            value={question}
            maxLength={10_000}
            onChange={(event) => setQuestion(event.currentTarget.value)}
            style={{ flex: '1 1 18rem' }}
          />
          <NativeSelect
            label={words.mode}
            value={mode}
            onChange={(event) => onChange({ mode: event.currentTarget.value })}
            data={Object.entries(words.modes).map(([value, label]) => ({ value, label }))}
          />
          <NumberInput label={words.limit} min={1} max={MAX_HITS} value={most} onChange={setMost} w={100} />
          <TextInput
            label={words.filter}
            placeholder={words.filterHelp}
            error={isWrong ? words.filterWrong : undefined}
            value={metadata}
            onChange={(event) => setMetadata(event.currentTarget.value)}
            style={{ flex: '1 1 12rem' }}
          />
          <Button type="submit">{words.search}</Button>
          <Button variant="default" disabled={q === ''} onClick={() => setSaving(true)}>
            {words.saveQuestion}
          </Button>
        </Group>
      </form>
      {isSaving && (
        <SaveQuestion knowledgeId={knowledgeId} question={q} filter={filter} onClose={() => setSaving(false)} />
      )}
      {q === '' ? (
        <Text>{words.askFirst}</Text>
      ) : (
        <SimpleGrid cols={{ base: 1, md: modes.length }}>
          {modes.map((each) => (
            <section key={each} aria-label={words.modes[each]}>
              {modes.length > 1 && (
                <Title order={2} size="h5" mb="xs">
                  {words.modes[each]}
                </Title>
              )}
              <Hits knowledgeId={knowledgeId} mode={each} asked={asked} />
            </section>
          ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}

interface HitsProps {
  knowledgeId: string;
  mode: SearchMode;
  asked: { query: string; limit: number; filter: Record<string, unknown> };
}

function Hits({ knowledgeId, mode, asked }: HitsProps) {
  const found = useQuery(knowledgeSearch(knowledgeId, mode, asked));
  const results = found.data?.results ?? [];
  const groups = [...new Set(results.map(({ groupId }) => groupId))];
  const names = useQueries({
    queries: groups.map((groupId) => ({
      ...knowledgeDocument(knowledgeId, groupId),
      select: ({ name }: { name: string | null }) => name,
    })),
  });
  const nameOf = (groupId: string) => names[groups.indexOf(groupId)]?.data ?? words.untitled;
  const failure = found.data?.embeddingFailure;
  return (
    <Stack gap="xs">
      {found.isPending && <Loading />}
      {found.error !== null && <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />}
      {failure !== undefined && <Text role="status">{words.byWordsAlone(failure.message)}</Text>}
      {found.data !== undefined && results.length === 0 && <Text>{words.noHits}</Text>}
      <ol className="hits">
        {results.map(({ documentId, groupId, partNumber, text, score }) => (
          <Card key={`${documentId} ${partNumber}`} component="li" withBorder padding="sm">
            <Group justify="space-between" gap="xs">
              <Anchor
                renderRoot={(props) => (
                  <Link
                    to={`/knowledge/${knowledgeId}`}
                    search={{ document: groupId, part: String(partNumber) }}
                    {...props}
                  />
                )}
                underline="always"
                size="sm"
              >
                {words.openPart(nameOf(groupId), partNumber)}
              </Anchor>
              <Text size="sm">{words.score(score)}</Text>
            </Group>
            <Text size="sm" lineClamp={8} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text}
            </Text>
          </Card>
        ))}
      </ol>
    </Stack>
  );
}

interface SaveQuestionProps {
  knowledgeId: string;
  question: string;
  filter: string;
  onClose: () => void;
}

/** Asks which documents a question should find, and saves them with the question. */
function SaveQuestion({ knowledgeId, question, filter, onClose }: SaveQuestionProps) {
  const saved = useSavedQuestions(knowledgeId);
  const documents = useQuery(documentChoices(knowledgeId));
  const before = saved?.rows.find((each) => nameOf(each) === nameOf({ question, filter }));
  const [chosen, setChosen] = useState(() => before?.expected.map(({ groupId }) => groupId) ?? []);
  const choices = (documents.data ?? []).map(({ groupId, name }) => ({
    value: groupId,
    label: name ?? words.untitled,
  }));
  // Some documents of the saved question may have been deleted.
  const expected = choices
    .filter(({ value }) => chosen.includes(value))
    .map(({ value, label }) => ({ groupId: value, name: label }));
  const isFull = before === undefined && (saved?.rows.length ?? 0) >= MAX_QUESTIONS;
  return (
    <ActDialog
      title={words.saveQuestionTitle}
      means={isFull ? words.tooManyQuestions(MAX_QUESTIONS) : words.saveQuestionMeans}
      button={words.save}
      dismiss={words.dismiss}
      isDisabled={saved === undefined || isFull || expected.length === 0}
      explain={(error) => (error instanceof DOMException ? words.noRoom : undefined)}
      onAct={async () => {
        saved?.keep(withQuestion(saved.rows, { question, filter, expected }));
        done(words.questionSaved);
      }}
      onClose={onClose}
    >
      <Text fw={600}>{question}</Text>
      {documents.error !== null && <ProblemAlert error={documents.error} onRetry={() => void documents.refetch()} />}
      <MultiSelect
        label={words.expected}
        description={before === undefined ? undefined : words.questionReplaces}
        data-autofocus
        searchable
        data={choices}
        value={expected.map(({ groupId }) => groupId)}
        onChange={setChosen}
      />
    </ActDialog>
  );
}
