import { Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { memo, type RefObject, useMemo, useState } from 'react';
import { Chip } from '../../../ui/Chip.tsx';
import { found, type PaletteEntry } from '../model/palette.ts';
import { EDITOR } from '../words.ts';
import { NodeIcon } from './NodeIcon.tsx';

const words = EDITOR.palette;

interface PaletteProps {
  entries: readonly PaletteEntry[];
  hint: string;
  search: RefObject<HTMLInputElement | null>;
  onAdd: (entry: PaletteEntry) => void;
  onLeave: () => void;
}

export const Palette = memo(function Palette({ entries, hint, search, onAdd, onLeave }: PaletteProps) {
  const [text, setText] = useState('');
  const shown = useMemo(() => found(entries, text), [entries, text]);
  const groups = useMemo(() => grouped(shown), [shown]);
  const [first] = shown;
  const add = (entry: PaletteEntry) => {
    setText('');
    onAdd(entry);
  };
  return (
    <section className="editor-palette" aria-label={words.label}>
      <TextInput
        ref={search}
        type="search"
        size="sm"
        aria-label={words.search}
        placeholder={words.search}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && first !== undefined && text.trim() !== '') add(first);
          else if (event.key === 'Escape') {
            setText('');
            onLeave();
          } else if (event.key === 'ArrowDown') {
            event.currentTarget.closest('section')?.querySelector<HTMLElement>('.editor-entry')?.focus();
          } else return;
          event.preventDefault();
        }}
      />
      <Text size="xs" c="var(--ink-neutral)" my={6} aria-live="polite">
        {hint}
      </Text>
      {shown.length === 0 && <Text size="sm">{words.none}</Text>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows walk the buttons inside */}
      <div className="editor-entries" onKeyDown={walk}>
        {[...groups].map(([key, { group, isCustom, list }]) => (
          <section key={key} aria-label={group}>
            <Text size="xs" fw={700} tt="uppercase" c="var(--ink-neutral)" mt="xs" mb={2}>
              {group} {isCustom && <Chip tone="neutral">{words.custom}</Chip>}
            </Text>
            {list.map((entry) => (
              <button
                type="button"
                key={entry.key}
                className="editor-entry"
                // One tab stop for all entries: arrow keys move from the search into the list.
                tabIndex={-1}
                title={entry.description}
                draggable
                onDragStart={({ dataTransfer }) => {
                  dataTransfer.setData(DRAGGED, entry.key);
                  dataTransfer.effectAllowed = 'copy';
                }}
                // A successful drop clears the search, as a click does.
                onDragEnd={({ dataTransfer }) => {
                  if (dataTransfer.dropEffect !== 'none') setText('');
                }}
                onClick={() => add(entry)}
              >
                <NodeIcon type={entry.node.type} icon={entry.icon} size={16} />
                {entry.name}
              </button>
            ))}
          </section>
        ))}
      </div>
    </section>
  );
});

interface Group {
  group: string;
  isCustom: boolean;
  list: PaletteEntry[];
}

function grouped(entries: readonly PaletteEntry[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const entry of entries) {
    const { group, isCustom = false } = entry;
    // A custom app may have the name of a built-in one.
    const key = `${group} ${isCustom}`;
    groups.set(key, { group, isCustom, list: [...(groups.get(key)?.list ?? []), entry] });
  }
  return groups;
}

function walk(event: React.KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.editor-entry')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  all[Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
}

/** Data type of a dragged palette entry; the data is its key. */
export const DRAGGED = 'application/x-perdure-action';
