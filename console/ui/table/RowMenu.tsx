import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { WORDS } from '../words/words.ts';
import type { Column } from './DataTable.tsx';

interface RowAct {
  label: string;
  onClick: () => void;
  isDangerous?: boolean;
}

/** A last column with a menu of actions on the row. */
export const menuColumn = <Row extends { name: string }>(actsOf: (row: Row) => readonly RowAct[]): Column<Row> => ({
  key: 'acts',
  card: 'corner',
  header: <span className="aloud">{WORDS.actions}</span>,
  className: 'acts',
  cell: (row) => <RowMenu name={row.name} acts={actsOf(row)} />,
});

function RowMenu({ name, acts }: { name: string; acts: readonly RowAct[] }) {
  if (acts.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" color="gray" c="var(--ink-neutral)" aria-label={WORDS.actionsOf(name)}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map(({ label, onClick, isDangerous }) => (
          <Menu.Item key={label} onClick={onClick} {...(isDangerous === true ? { c: 'var(--ink-bad)' } : {})}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** An entry that only informs or cannot be chosen now. It is focusable, because it may be the only one. */
export const MENU_NOTE = { 'aria-disabled': true, closeMenuOnClick: false, c: 'dimmed' } as const;
