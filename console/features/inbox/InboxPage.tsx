import { Button, Checkbox, Grid, Group, NativeSelect, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { ME, useMay } from '../../app/api/me.ts';
import { browserTexts } from '../../app/storage/browserStorage.ts';
import { dropOldDrafts } from '../../app/storage/drafts.ts';
import { personId } from '../../app/storage/personId.ts';
import { isPageKey, usePageKeys } from '../../ui/keys/pageKeys.ts';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { Listing } from '../../ui/table/Listing.tsx';
import { approvalPages, askedIn } from '../approvals/queries.ts';
import { useCatalogueNames } from '../catalogue/catalogueNames.ts';
import { ClaimNext } from '../queues/ClaimNext.tsx';
import { useHeldItems } from '../queues/leaseMutations.ts';
import { activeQueues, type QueueRow } from '../queues/queries.ts';
import { ITEM_WORK } from '../queues/words.ts';
import { InboxForm } from './InboxForm.tsx';
import { approvalRow, InboxList, itemRow, questionRow } from './InboxList.tsx';
import { entryKey, entryOf, type InboxEntry, nextEntry, searchOf } from './inboxEntry.ts';
import { questionContext, questionPages } from './queries.ts';
import { INBOX } from './words.ts';
import './inbox.css';

const words = INBOX;

export function Inbox() {
  const search = useSearch({ from: '/frame/inbox' });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const may = useMay();
  const isMine = search.mine === 'true';
  const seesQuestions = may('executions:read');
  const seesApprovals = may('agents:read') || may('agents:use');
  const claims = may('queues:read') && may('queues:write');
  const questions = useInfiniteQuery({ ...questionPages(isMine), enabled: seesQuestions });
  const approvals = useInfiniteQuery({ ...approvalPages(), enabled: seesApprovals });
  const queues = useQuery({ ...activeQueues(), enabled: claims });
  const held = useHeldItems();
  const { toolName } = useCatalogueNames();
  /** Done entries by key, with the calls that they asked about: a task may ask again. */
  const [done, setDone] = useState<ReadonlyMap<string, string>>(new Map());
  const focus = useRef<'field' | 'title' | undefined>(undefined);
  const [choices, setChoices] = useState(0);
  useEffect(() => dropOldDrafts(browserTexts(), Date.now()), []);

  const tasks = approvals.data?.pages.flatMap((page) => page.rows);
  const asked = new Map(tasks?.map((task) => [entryKey({ kind: 'approval', taskId: task.id }), askedIn(task)]));
  const isDone = (key: string) => done.get(key) === (asked.get(key) ?? '');
  const isOpen = (entry: InboxEntry) => !isDone(entryKey(entry));
  const rows = {
    questions: (questions.data?.pages.flatMap((page) => page.rows) ?? []).map(questionRow),
    approvals: (tasks ?? []).map((task) => approvalRow(task, toolName)),
    items: held.map(itemRow),
  };
  const entries = [...rows.questions, ...rows.approvals, ...rows.items].map(({ entry }) => entry);
  const chosen = entryOf(search);
  const chosenKey = chosen === undefined ? undefined : entryKey(chosen);
  const next = nextEntry(entries, chosen, isDone);
  const nextId = next?.kind === 'question' ? next.executionId : undefined;
  useEffect(() => {
    if (nextId !== undefined && chosenKey !== undefined) void queries.prefetchQuery(questionContext(nextId));
  }, [nextId, chosenKey, queries]);

  const set = (change: SearchOf<'/frame/inbox'>) =>
    void navigate({ to: '/inbox', search: { ...search, ...change }, replace: true });
  const choose = (entry: InboxEntry | undefined, place: 'field' | 'title' = 'field') => {
    focus.current = place;
    // The open form gets the focus again.
    if (entry !== undefined && entryKey(entry) === chosenKey) setChoices((count) => count + 1);
    void navigate({ to: '/inbox', search: searchOf(entry, search), replace: chosen !== undefined });
  };
  const ended = (entry: InboxEntry, toNext: boolean) => {
    const key = entryKey(entry);
    setDone((known) => new Map([...known, [key, asked.get(key) ?? '']]));
    if (toNext) choose(next);
  };
  usePageKeys(LISTED_KEYS);
  useInboxKeys({
    chosen: chosenKey,
    onSkip: () => next !== undefined && choose(next),
    onClaim: () => document.querySelector<HTMLButtonElement>('button[data-claim]')?.click(),
  });
  const listOf = {
    chosen: chosenKey,
    search,
    onChoose: (entry: InboxEntry, byKey: boolean) => choose(entry, byKey ? 'field' : 'title'),
  };
  return (
    <Page title={words.title}>
      <Grid>
        <Grid.Col span={{ base: 12, md: 5 }} visibleFrom={chosen === undefined ? undefined : 'md'} data-walked>
          {seesQuestions && (
            <InboxList
              {...listOf}
              title={words.lists.questions}
              rows={rows.questions.filter(({ entry }) => isOpen(entry))}
              isRead={questions.data !== undefined}
              isBounded={questions.hasNextPage}
              tools={
                <Checkbox
                  mb="xs"
                  label={words.mine}
                  checked={isMine}
                  onChange={({ currentTarget: { checked } }) => set({ mine: checked ? 'true' : undefined })}
                />
              }
              around={(list) => (
                <Listing pages={questions} empty={isMine ? words.noneMine : words.noQuestions} isLow>
                  {list}
                </Listing>
              )}
            />
          )}
          {seesApprovals && (
            <InboxList
              {...listOf}
              title={words.lists.approvals}
              rows={rows.approvals.filter(({ entry }) => isOpen(entry))}
              isRead={approvals.data !== undefined}
              isBounded={approvals.hasNextPage}
              around={(list) => (
                <Listing pages={approvals} empty={words.noApprovals} isLow>
                  {list}
                </Listing>
              )}
            />
          )}
          {claims && (
            <InboxList
              {...listOf}
              title={words.lists.items}
              rows={rows.items}
              isRead
              isBounded={false}
              tools={
                <ItemTools
                  queues={queues.data ?? []}
                  asked={search.queue}
                  onQueue={(queue) => set({ queue })}
                  onClaimed={(place) => choose({ kind: 'item', ...place })}
                />
              }
              around={(list) => (
                <>
                  {queues.error !== null && <ProblemAlert error={queues.error} onRetry={() => void queues.refetch()} />}
                  {held.length > 0 ? (
                    list
                  ) : (
                    <Text size="sm">{queues.data?.length === 0 ? words.noQueues : words.noItems}</Text>
                  )}
                </>
              )}
            />
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          {chosen === undefined ? (
            <Keys />
          ) : (
            <div className="inbox-form">
              <Group justify="space-between" mb="xs">
                <Button variant="subtle" size="compact-sm" hiddenFrom="md" onClick={() => choose(undefined)}>
                  {words.back}
                </Button>
                {next !== undefined && (
                  <Button variant="subtle" size="compact-sm" ml="auto" onClick={() => choose(next)}>
                    {words.skip}
                  </Button>
                )}
              </Group>
              <InboxForm
                key={chosenKey}
                entry={chosen}
                listed={{
                  question: questions.data?.pages.flatMap((page) => page.rows),
                  tasks,
                }}
                hasNext={next !== undefined}
                focus={focus}
                choices={choices}
                onEnded={ended}
              />
            </div>
          )}
        </Grid.Col>
      </Grid>
    </Page>
  );
}

const LISTED_KEYS = words.keys.map(([key, does]) => ({ key, does }));

interface ItemToolsProps {
  queues: readonly QueueRow[];
  asked: string | undefined;
  onQueue: (id: string) => void;
  onClaimed: ComponentProps<typeof ClaimNext>['onClaimed'];
}

function ItemTools({ queues, asked, onQueue, onClaimed }: ItemToolsProps) {
  const { data: me } = useQuery(ME);
  const queue = queues.find(({ id }) => id === asked) ?? queues[0];
  return (
    <Group gap="xs" align="end" mb="xs">
      <NativeSelect
        size="xs"
        flex="1 1 8rem"
        label={ITEM_WORK.queue}
        value={queue?.id ?? ''}
        onChange={({ currentTarget: { value } }) => onQueue(value)}
        data={queues.map(({ id, name, itemCounts }) => ({
          value: id,
          label: ITEM_WORK.waiting(name, (itemCounts?.PENDING ?? 0) + (itemCounts?.RETRYING ?? 0)),
        }))}
      />
      <ClaimNext queue={queue} userId={me === undefined ? undefined : personId(me)} onClaimed={onClaimed} />
    </Group>
  );
}

function Keys() {
  return (
    <Text component="div" visibleFrom="md" c="var(--ink-neutral)">
      {words.choose}
      <dl className="inbox-keys" aria-label={words.keysTitle}>
        {words.keys.map(([key, means]) => (
          <Key key={key} name={key} means={means} />
        ))}
      </dl>
    </Text>
  );
}

function Key({ name, means }: { name: string; means: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{means}</dd>
    </>
  );
}

interface InboxKeys {
  chosen: string | undefined;
  onSkip: () => void;
  onClaim: () => void;
}

/** s skips, c claims, Esc moves the focus from the form to its list entry; all lists share j, k and Enter. */
function useInboxKeys(keys: InboxKeys): void {
  const newest = useRef(keys);
  newest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { chosen, onSkip, onClaim } = newest.current;
      if (event.key === 'Escape' && chosen !== undefined) {
        document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(chosen)}"]`)?.focus();
      }
      if (!isPageKey(event)) return;
      if (event.key === 's') onSkip();
      else if (event.key === 'c') onClaim();
      else return;
      // The letter must not be written into the field that gets the focus.
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
