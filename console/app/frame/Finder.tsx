import './finder.css';
import { Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { queryOptions, useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { isUuid } from '../../../domain/isUuid.ts';
import { searchPair } from '../../features/executions/queries/executionFilter.ts';
import { escaped } from '../../ui/escaped.ts';
import type { Search } from '../../ui/search.ts';
import { WORDS } from '../../ui/words/words.ts';
import { CHOICES, choices } from '../api/choices.ts';
import type { Permission } from '../api/me.ts';
import { newFormsFor } from '../pages/newForms.ts';
import { placesFor, settingsFor } from '../pages/places.ts';
import { client } from '../session/session.ts';

interface FinderProps {
  permissions: readonly Permission[];
  /** The text of the field, including keys typed before the field was rendered. */
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
}

const QUIET_MS = 150;

export function Finder({ permissions, text, onText, onClose }: FinderProps) {
  const [chosen, setChosen] = useState(0);
  const phrase = text.trim();
  const [asked] = useDebouncedValue(phrase, QUIET_MS);
  const answers = useQueries({ queries: findQueries(permissions, asked) });
  const isSearching = asked !== phrase || answers.some(({ isFetching }) => isFetching);
  const finds = [
    ...foundPages(permissions, phrase),
    ...foundForms(permissions, phrase),
    ...answers.flatMap(({ data = [] }) => data as Find[]),
    ...foundByPhrase(permissions, phrase),
  ];
  const at = Math.min(chosen, finds.length - 1);
  const navigate = useNavigate();
  const go = ({ to, search }: Find) => {
    onClose();
    void navigate({ to, ...(search === undefined ? {} : { search }) });
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const find = finds[at];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step !== undefined) setChosen((at + step + finds.length) % Math.max(finds.length, 1));
    else if (find !== undefined) go(find);
  };
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelectorAll('[role=option]')[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  return (
    <Modal opened onClose={onClose} closeOnClickOutside title={FINDER.title} size="lg" yOffset="10vh" data-finder>
      <TextInput
        label={FINDER.field}
        description={FINDER.help}
        leftSection={<IconSearch size={16} aria-hidden />}
        role="combobox"
        aria-expanded
        aria-haspopup="listbox"
        aria-controls={listId}
        {...(at < 0 ? {} : { 'aria-activedescendant': `${listId}-${at}` })}
        autoComplete="off"
        data-autofocus
        value={text}
        onChange={({ currentTarget: { value } }) => {
          onText(value);
          setChosen(0);
        }}
        onFocus={toEnd}
        onKeyDown={onKey}
      />
      <div ref={list} id={listId} role="listbox" aria-label={FINDER.title} className="finder-options">
        {kindsOf(finds).map((kind) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form
          <div key={kind} role="group" aria-label={FINDER.kinds[kind]}>
            <Text size="xs" c="dimmed" aria-hidden>
              {FINDER.kinds[kind]}
            </Text>
            {finds.map(
              (find, index) =>
                find.kind === kind && (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which has the focus
                  <div
                    key={`${find.kind} ${find.to} ${find.search?.q ?? ''}`}
                    id={`${listId}-${index}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={index === at}
                    onClick={() => go(find)}
                  >
                    {find.label}
                  </div>
                ),
            )}
          </div>
        ))}
      </div>
      <Text size="sm" c="dimmed" role="status">
        {answers.some(({ isError }) => isError) ? FINDER.failed : finds.length === 0 && !isSearching ? FINDER.none : ''}
      </Text>
    </Modal>
  );
}

const toEnd = ({ currentTarget: field }: FocusEvent<HTMLInputElement>) =>
  field.setSelectionRange(field.value.length, field.value.length);

function kindsOf(finds: readonly Find[]): Find['kind'][] {
  return [...new Set(finds.map(({ kind }) => kind))];
}

interface Find {
  kind: keyof typeof FINDER.kinds;
  label: string;
  to: string;
  search?: Search;
}

const MAX_OF_KIND = 6;

function foundPages(permissions: readonly Permission[], phrase: string): Find[] {
  const settings = settingsFor(permissions).map((page) => ({
    label: FINDER.setting(WORDS.navigation.settingsPages[page]),
    to: `/settings/${page}`,
  }));
  const all = [...placesFor(permissions).map(({ label, to }) => ({ label, to: to as string })), ...settings];
  return all.filter(({ label }) => holds(label, phrase)).map((each) => ({ kind: 'page', ...each }));
}

function foundForms(permissions: readonly Permission[], phrase: string): Find[] {
  return newFormsFor(permissions)
    .filter(({ label }) => holds(label, phrase))
    .map(({ needs, ...form }) => ({ kind: 'form', ...form }));
}

/** Returns the results that need no request. */
function foundByPhrase(permissions: readonly Permission[], phrase: string): Find[] {
  if (phrase === '' || !permissions.includes('executions:read')) return [];
  if (isUuid(phrase)) return [{ kind: 'execution', label: FINDER.byId(phrase), to: `/executions/${phrase}` }];
  return [{ kind: 'execution', label: FINDER.all(phrase), to: '/executions', search: { q: phrase } }];
}

/** Lists that settings read in full are searched in the browser. */
function findQueries(permissions: readonly Permission[], phrase: string) {
  const isAsked = phrase !== '' && !isUuid(phrase);
  const all = [
    { needs: 'executions:read', query: executionsOf(phrase) },
    { needs: CHOICES.listWorkflows, query: filtered('workflow', 'listWorkflows', `name:${escaped(phrase)}`) },
    { needs: 'queues:read', query: filtered('queue', 'listQueues', `search:${escaped(phrase)}`) },
    { needs: CHOICES.listAgents, query: named('agent', 'listAgents', phrase) },
    { needs: CHOICES.listKnowledge, query: named('knowledge', 'listKnowledge', phrase) },
    { needs: CHOICES.listObjectTypes, query: typesOf(phrase) },
  ] as const;
  return isAsked ? all.filter(({ needs }) => permissions.includes(needs)).map(({ query }) => query) : [];
}

function executionsOf(phrase: string) {
  const query = { expansion: 'executionNumber,name', filterBy: searchPair(phrase) ?? '', limit: MAX_OF_KIND };
  return queryOptions({
    queryKey: ['listExecutions', 'found', phrase],
    queryFn: async ({ signal }): Promise<Find[]> =>
      (await client.listExecutions({ query, signal })).map(({ id, executionNumber = 0, name = '' }) => ({
        kind: 'execution',
        label: FINDER.execution(executionNumber, name),
        to: `/executions/${id}`,
      })),
  });
}

const FOLDERS = { workflow: 'workflows', queue: 'queues', agent: 'agents', knowledge: 'knowledge' } as const;
type Named = keyof typeof FOLDERS;

const findOf =
  (kind: Named) =>
  (row: { id: string; name: string }): Find => ({
    kind,
    label: row.name,
    to: `/${FOLDERS[kind]}/${row.id}`,
  });

function filtered(kind: Named, list: 'listWorkflows' | 'listQueues', filterBy: string) {
  return queryOptions({
    queryKey: [list, 'found', filterBy],
    queryFn: async ({ signal }): Promise<Find[]> => {
      const rows: { id: string; name: string }[] = await client[list]({
        query: { expansion: 'name', filterBy, limit: MAX_OF_KIND },
        signal,
      });
      return rows.map(findOf(kind));
    },
  });
}

function named(kind: Named, list: 'listAgents' | 'listKnowledge', phrase: string) {
  return {
    ...choices(list),
    select: (all: { id: string; name: string }[]): Find[] => matching(all, phrase).map(findOf(kind)),
  };
}

function typesOf(phrase: string) {
  return queryOptions({
    queryKey: ['listObjectTypes', 'slugs'],
    queryFn: ({ signal }) => client.listObjectTypes({ query: { expansion: 'name,slug', limit: 1_000 }, signal }),
    staleTime: 60_000,
    select: (all): Find[] =>
      matching(all, phrase).map(({ name, slug }) => ({ kind: 'objectType', label: name, to: `/objects/${slug}` })),
  });
}

function matching<T extends { name: string }>(all: readonly T[], phrase: string): T[] {
  return all.filter(({ name }) => holds(name, phrase)).slice(0, MAX_OF_KIND);
}

function holds(text: string, phrase: string): boolean {
  return text.toLowerCase().includes(phrase.toLowerCase());
}

const FINDER = {
  title: 'Jump to',
  field: 'Name, #number, label or id',
  help: 'Arrows choose, Enter opens, Esc closes.',
  none: 'No matches.',
  failed: 'Some results are missing because the API did not answer.',
  kinds: {
    page: 'Pages',
    form: 'Create',
    execution: 'Executions',
    workflow: 'Workflows',
    queue: 'Queues',
    agent: 'Agents',
    knowledge: 'Knowledge bases',
    objectType: 'Entity types',
  },
  setting: (page: string) => `Settings: ${page}`,
  all: (phrase: string) => `All executions that match “${phrase}”`,
  byId: (id: string) => `The execution ${id}`,
  execution: (number: number, name: string) => `#${number} ${name}`,
};
