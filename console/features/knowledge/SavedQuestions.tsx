import { Anchor, Button, Group, NumberInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useStoredRows } from '../../app/lists/useStoredRows.ts';
import { writeRows } from '../../app/storage/keptRows.ts';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { metadataFilter } from './metadataFilter.ts';
import { documentChoices, hitsOf, MAX_HITS, SEARCH_MODES, type SearchMode, searchKnowledge } from './queries.ts';
import { meanOf, nameOf, questionsKey, rankOf, readQuestions, recallOf, type SavedQuestion } from './savedQuestions.ts';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

const KIND = { keyOf: questionsKey, read: readQuestions, write: writeRows };

/** The user's saved questions, kept in this browser; undefined until the user is known. */
export const useSavedQuestions = (knowledgeId: string) => useStoredRows(KIND, knowledgeId);

interface SavedQuestionsProps {
  knowledgeId: string;
  limit: string | undefined;
  onChange: (change: SearchOf<'/frame/knowledge/$knowledgeId'>) => void;
}

type Row = SavedQuestion & { id: string };

/** Shows saved questions and how many of their expected documents the search finds, to tune chunk size and overlap. */
export function SavedQuestions({ knowledgeId, limit, onChange }: SavedQuestionsProps) {
  const saved = useSavedQuestions(knowledgeId);
  const documents = useQuery(documentChoices(knowledgeId));
  const k = hitsOf(limit);
  const { measure, byName, isByWords, stop } = useMeasured(knowledgeId, k);
  if (saved === undefined) return null;
  const { rows: questions, keep } = saved;
  if (questions.length === 0) return <Text>{words.noQuestions}</Text>;
  const isGone = (groupId: string) =>
    documents.data !== undefined &&
    documents.data.length < 1_000 &&
    !documents.data.some((each) => each.groupId === groupId);
  const columns: Column<Row>[] = [
    {
      key: 'question',
      header: words.query,
      className: 'named',
      cell: ({ question, filter }) => (
        <Anchor
          renderRoot={(props) => (
            <Link
              to={`/knowledge/${knowledgeId}`}
              search={{ tab: 'search', q: question, filter, mode: 'all' }}
              {...props}
            />
          )}
          underline="always"
        >
          {question}
        </Anchor>
      ),
    },
    {
      key: 'expected',
      header: words.expected,

      cell: ({ expected }) =>
        expected.map(({ groupId, name }) => (isGone(groupId) ? words.gone(name) : name)).join(', '),
    },
    ...SEARCH_MODES.map(
      (mode): Column<Row> => ({
        key: mode,
        header: words.modes[mode],
        cell: (row) => <Cell question={row} mode={mode} measured={byName?.get(row.id)} k={k} />,
      }),
    ),
    {
      key: 'delete',
      header: <span className="aloud">{words.acts}</span>,
      cell: (row) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={words.deleteQuestion(row.question)}
          onClick={() => keep(questions.filter((each) => nameOf(each) !== row.id))}
        >
          {words.delete}
        </Button>
      ),
    },
  ];
  return (
    <Stack>
      <Group align="flex-end" gap="sm">
        <NumberInput
          label={words.hitsThatCount}
          min={1}
          max={MAX_HITS}
          value={k}
          disabled={measure.isPending}
          onChange={(value) => onChange({ limit: String(value) })}
          w={140}
        />
        <Button loading={measure.isPending} onClick={() => measure.mutate(questions)}>
          {words.measure}
        </Button>
        {measure.isPending && (
          <Button variant="default" onClick={stop}>
            {words.stop}
          </Button>
        )}
        <Text role="status" size="sm">
          {measure.isPending && words.measuring(byName?.size ?? 0, questions.length)}
        </Text>
      </Group>
      {measure.error !== null && (
        <ProblemAlert error={measure.error} isRead={false} onRetry={() => measure.mutate(questions)} />
      )}
      {isByWords && <Text role="status">{words.onlyWords}</Text>}
      {byName !== undefined && byName.size > 0 && <Recall questions={questions} byName={byName} k={k} />}
      <DataTable
        label={words.questions}
        columns={columns}
        rows={questions.map((each) => ({ ...each, id: nameOf(each) }))}
        nameOf={({ question }) => question}
      />
    </Stack>
  );
}

interface CellProps {
  question: SavedQuestion;
  mode: SearchMode;
  measured: Measured | undefined;
  k: number;
}

/** Shows the rank of the one expected document, or how many of several were found. */
function Cell({ question, mode, measured, k }: CellProps) {
  if (measured === undefined) return '—';
  const { expected } = question;
  const rank = rankOf(question, measured[mode]);
  if (rank === undefined)
    return (
      <Text c="var(--ink-bad)" size="sm">
        {words.notFoundIn(k)}
      </Text>
    );
  if (expected.length === 1) return words.rank(rank);
  return words.foundOf(Math.round(recallOf(question, measured[mode]) * expected.length), expected.length);
}

interface RecallProps {
  questions: readonly SavedQuestion[];
  byName: ReadonlyMap<string, Measured>;
  k: number;
}

function Recall({ questions, byName, k }: RecallProps) {
  return (
    <section aria-label={words.recall(k)}>
      <Title order={2} size="h4" mb="xs">
        {words.recall(k)}
      </Title>
      <Text size="sm" mb="xs">
        {words.recallMeans(k)}
      </Text>
      <dl className="recall">
        {SEARCH_MODES.map((mode) => {
          const each = questions.flatMap((one) => {
            const measured = byName.get(nameOf(one));
            return measured === undefined ? [] : [recallOf(one, measured[mode])];
          });
          return (
            <div key={mode}>
              <dt>{words.modes[mode]}</dt>
              <dd>{words.percent(meanOf(each) ?? 0)}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

/** Documents of the first hits, in order, for each search mode. */
type Measured = Record<SearchMode, string[]>;

/** Runs saved questions in all search modes, one question at a time. The first `k` hits of each count. */
function useMeasured(knowledgeId: string, k: number) {
  const [found, setFound] = useState<{ k: number; byName: ReadonlyMap<string, Measured> }>();
  const [isByWords, setByWords] = useState(false);
  const stopped = useRef<AbortController>(undefined);
  useEffect(() => () => stopped.current?.abort(), []);
  const measure = useMutation({
    mutationFn: async (questions: readonly SavedQuestion[]) => {
      const aborted = new AbortController();
      stopped.current = aborted;
      const { signal } = aborted;
      const byName = new Map<string, Measured>();
      setFound({ k, byName });
      setByWords(false);
      for (const one of questions) {
        if (signal.aborted) return;
        const filter = metadataFilter(one.filter) ?? {};
        const answers = await Promise.all(
          SEARCH_MODES.map((mode) =>
            searchKnowledge(knowledgeId, { query: one.question, limit: k, mode, filter }, signal),
          ),
        ).catch((error: unknown) => {
          // The user stopped the run: keep the results so far.
          if (signal.aborted) return undefined;
          throw error;
        });
        if (answers === undefined) return;
        if (answers.some(({ embeddingFailure }) => embeddingFailure !== undefined)) setByWords(true);
        const documents = answers.map(({ results }) => results.map(({ groupId }) => groupId));
        byName.set(nameOf(one), Object.fromEntries(SEARCH_MODES.map((mode, at) => [mode, documents[at]])) as Measured);
        setFound({ k, byName: new Map(byName) });
      }
    },
  });
  // Results for another number of hits do not apply.
  const byName = found?.k === k ? found.byName : undefined;
  return { measure, byName, isByWords, stop: () => stopped.current?.abort() };
}
