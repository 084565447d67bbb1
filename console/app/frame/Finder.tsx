import './finder.css';
import { Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { Permission } from '../api/me.ts';
import { FINDER } from './finderWords.ts';
import { type Find, findQueries, foundByPhrase, foundPages } from './finds.ts';

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
                    key={`${find.to} ${find.search?.q ?? ''}`}
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
