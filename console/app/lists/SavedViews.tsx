import { Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { usePageKeys } from '../../ui/keys/pageKeys.ts';
import { done } from '../../ui/notices.tsx';
import type { Search } from '../../ui/search.ts';
import { MENU_NOTE } from '../../ui/table/RowMenu.tsx';
import { ActDialog } from '../dialog/ActDialog.tsx';
import { isFiltered, useShowFilters } from './Filters.tsx';
import {
  changeTo,
  givenFilters,
  MAX_NAME_LENGTH,
  MAX_VIEWS,
  readViews,
  type SavedView,
  VIEWS,
  viewOf,
  viewsKey,
  withView,
  writeViews,
} from './savedViews.ts';
import { useStoredRows } from './useStoredRows.ts';

const words = VIEWS;

const KIND = { keyOf: viewsKey, read: readViews, write: writeViews };

interface SavedViewsProps {
  list: string;
  filters: Search;
  onChange: (change: Search) => void;
}

export function SavedViews({ list, filters, onChange }: SavedViewsProps) {
  const saved = useStoredRows(KIND, list);
  const [isOpen, setOpen] = useState(false);
  const [dialog, setDialog] = useState<'save' | 'change'>();
  const showFilters = useShowFilters();
  const open = () => {
    showFilters();
    setOpen(true);
  };
  usePageKeys([{ key: 'v', does: words.key, act: open }]);
  if (saved === undefined) return null;
  const { rows: views, keep } = saved;
  const present = viewOf(views, filters);
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu opened={isOpen} onChange={setOpen} position="bottom-start">
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />} maw={240}>
            {present === undefined ? words.button : `${words.button}: ${present.name}`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown maw={320} mah="60vh" style={{ overflowY: 'auto' }}>
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              aria-current={view === present}
              rightSection={view === present && <IconCheck size={16} aria-hidden />}
              onClick={() => onChange(changeTo(filters, view))}
            >
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item
            {...(isFiltered(filters) && present === undefined ? { onClick: () => setDialog('save') } : MENU_NOTE)}
          >
            {words.save}
            {views.length === 0 && !isFiltered(filters) && <Text size="xs">{words.noneYet}</Text>}
          </Menu.Item>
          {views.length > 0 && <Menu.Item onClick={() => setDialog('change')}>{words.change}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' && <SaveView views={views} filters={filters} onKeep={keep} onClose={close} />}
      {dialog === 'change' && <ChangeViews views={views} onKeep={keep} onClose={close} />}
    </>
  );
}

interface DialogProps {
  views: readonly SavedView[];
  onKeep: (views: readonly SavedView[]) => void;
  onClose: () => void;
}

/** The browser's storage throws a DOMException when it is full. */
const explain = (error: unknown) => (error instanceof DOMException ? words.full : undefined);

function SaveView({ views, filters, onKeep, onClose }: DialogProps & { filters: Search }) {
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
function ChangeViews({ views, onKeep, onClose }: DialogProps) {
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
