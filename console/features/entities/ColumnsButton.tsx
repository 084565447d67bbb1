import { ActionIcon, Button, Checkbox, Group, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { columnLabel } from './columnLabel.ts';
import { type ColumnKey, columnsOf, columnsText, moved, shownColumns, usualColumns } from './objectColumns.ts';
import type { ObjectType } from './queries.ts';
import { OBJECTS } from './words.ts';

const words = OBJECTS.columnChoice;

interface ColumnsProps {
  type: ObjectType;
  columns: string | undefined;
  onChange: (columns: string | undefined) => void;
}

export function ColumnsButton(props: ColumnsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconColumns3 size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {words.button}
      </Button>
      {isOpen && <ColumnsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

const rowsOf = (type: ObjectType, shown: readonly ColumnKey[]) => [
  ...shown.map((key) => ({ key, isShown: true })),
  ...columnsOf(type).flatMap((key) => (shown.includes(key) ? [] : [{ key, isShown: false }])),
];

function ColumnsDialog({ type, columns, onChange, onClose }: ColumnsProps & { onClose: () => void }) {
  const [rows, setRows] = useState(() => rowsOf(type, shownColumns(type, columns)));
  const [said, setSaid] = useState('');
  const toggle = (key: ColumnKey) =>
    setRows(rows.map((row) => (row.key === key ? { key, isShown: !row.isShown } : row)));
  const move = (at: number, by: number) => {
    const next = moved(rows, at, by);
    const key = rows[at]?.key ?? '';
    setRows(next);
    setSaid(words.place(columnLabel(type, key), next.findIndex((row) => row.key === key) + 1, next.length));
  };
  const use = async () =>
    onChange(
      columnsText(
        type,
        rows.filter(({ isShown }) => isShown).map(({ key }) => key),
      ),
    );
  return (
    <ActDialog title={words.title} means={words.means} button={words.use} onAct={use} onClose={onClose}>
      <Stack gap={4} component="ol" m={0} p={0} style={{ listStyle: 'none' }} aria-label={words.title}>
        {rows.map(({ key, isShown }, at) => {
          const label = columnLabel(type, key);
          return (
            <Group key={key} component="li" gap="xs" wrap="nowrap" justify="space-between">
              <Checkbox label={label} checked={isShown} onChange={() => toggle(key)} />
              <Group gap={4} wrap="nowrap">
                <Move label={words.up(label)} isEnd={at === 0} icon={IconArrowUp} onMove={() => move(at, -1)} />
                <Move
                  label={words.down(label)}
                  isEnd={at === rows.length - 1}
                  icon={IconArrowDown}
                  onMove={() => move(at, 1)}
                />
              </Group>
            </Group>
          );
        })}
      </Stack>
      <span className="aloud" role="status">
        {said}
      </span>
      <Button variant="subtle" onClick={() => setRows(rowsOf(type, usualColumns(type)))}>
        {words.usual}
      </Button>
    </ActDialog>
  );
}

interface MoveProps {
  label: string;
  /** The row cannot move further. The button stays, so that it keeps the focus. */
  isEnd: boolean;
  icon: typeof IconArrowUp;
  onMove: () => void;
}

function Move({ label, isEnd, icon: Icon, onMove }: MoveProps) {
  return (
    <ActionIcon
      variant="subtle"
      size="lg"
      color="gray"
      c="var(--ink-neutral)"
      aria-label={label}
      aria-disabled={isEnd}
      style={isEnd ? { opacity: 0.4 } : undefined}
      onClick={isEnd ? undefined : onMove}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
