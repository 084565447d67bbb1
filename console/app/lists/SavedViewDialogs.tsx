import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { done } from '../../ui/notices.tsx';
import type { Search } from '../../ui/search.ts';
import { ActDialog } from '../dialog/ActDialog.tsx';
import { givenFilters, MAX_NAME_LENGTH, MAX_VIEWS, type SavedView, withView } from './savedViews.ts';
import { VIEWS } from './words.ts';

const words = VIEWS;

interface DialogProps {
  views: readonly SavedView[];
  onKeep: (views: readonly SavedView[]) => void;
  onClose: () => void;
}

/** The browser's storage throws a DOMException when it is full. */
const explain = (error: unknown) => (error instanceof DOMException ? words.full : undefined);

export function SaveView({ views, filters, onKeep, onClose }: DialogProps & { filters: Search }) {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const isThere = views.some((view) => view.name === name);
  const isFull = views.length >= MAX_VIEWS && !isThere;
  const save = async () => {
    onKeep(withView(views, { name, filters: givenFilters(filters) }));
    done(words.saved(name));
  };
  return (
    <ActDialog
      title={words.saveTitle}
      means={isFull ? words.tooMany(MAX_VIEWS) : words.where}
      button={words.saveButton}
      isDisabled={name === '' || isFull}
      explain={explain}
      onAct={save}
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        required
        maxLength={MAX_NAME_LENGTH}
        data-autofocus
        value={typed}
        description={isThere ? words.replaces : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ActDialog>
  );
}

/** Nothing changes before it is saved. */
export function ChangeViews({ views, onKeep, onClose }: DialogProps) {
  const [rows, setRows] = useState(() => views.map((view) => ({ view, name: view.name })));
  const problemOf = (name: string) => {
    if (name.trim() === '') return words.nameNeeded;
    return rows.filter((row) => row.name.trim() === name.trim()).length > 1 ? words.nameTwice : undefined;
  };
  const rename = (view: SavedView, name: string) =>
    setRows(rows.map((row) => (row.view === view ? { view, name } : row)));
  return (
    <ActDialog
      title={words.changeTitle}
      button={words.saveButton}
      isDisabled={rows.some(({ name }) => problemOf(name) !== undefined)}
      explain={explain}
      onAct={async () => onKeep(rows.map(({ view, name }) => ({ ...view, name: name.trim() })))}
      onClose={onClose}
    >
      <Stack gap="xs">
        {rows.length === 0 && (
          <Text size="sm" role="status">
            {words.noneLeft}
          </Text>
        )}
        {rows.map(({ view, name }) => (
          <Group key={view.name} gap="xs" align="start" wrap="nowrap">
            <TextInput
              aria-label={words.nameOf(view.name)}
              style={{ flex: 1 }}
              maxLength={MAX_NAME_LENGTH}
              value={name}
              error={problemOf(name)}
              onChange={(event) => rename(view, event.currentTarget.value)}
            />
            <Button
              variant="subtle"
              color="red"
              c="var(--ink-bad)"
              aria-label={words.deleteOf(view.name)}
              onClick={() => setRows(rows.filter((row) => row.view !== view))}
            >
              {words.delete}
            </Button>
          </Group>
        ))}
      </Stack>
    </ActDialog>
  );
}
