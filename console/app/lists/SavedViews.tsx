import { Button, Menu, Text } from '@mantine/core';
import { IconBookmark, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { usePageKeys } from '../../ui/keys/pageKeys.ts';
import type { Search } from '../../ui/search.ts';
import { MENU_NOTE } from '../../ui/table/RowMenu.tsx';
import { isFiltered } from './ClearFilters.tsx';
import { useShowFilters } from './Filters.tsx';
import { ChangeViews, SaveView } from './SavedViewDialogs.tsx';
import { changeTo, readViews, viewOf, viewsKey, writeViews } from './savedViews.ts';
import { useKept } from './useKept.ts';
import { VIEWS } from './words.ts';

const words = VIEWS;

const KIND = { keyOf: viewsKey, read: readViews, write: writeViews };

interface SavedViewsProps {
  list: string;
  filters: Search;
  onChange: (change: Search) => void;
}

export function SavedViews({ list, filters, onChange }: SavedViewsProps) {
  const saved = useKept(KIND, list);
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
