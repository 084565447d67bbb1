import './apps.css';
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ImportedAction } from './mutations.ts';
import { APPS } from './words.ts';

const words = APPS.import;
/** A document may have thousands of operations; typing finds the others. */
const MAX_SHOWN = 200;

interface ImportedActionsProps {
  actions: readonly ImportedAction[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

export function ImportedActions({ actions, chosen, onChoose }: ImportedActionsProps) {
  const [search, setSearch] = useState('');
  const phrase = search.trim().toLowerCase();
  const found = actions.filter(
    ({ actionId, name }) => actionId.toLowerCase().includes(phrase) || name.toLowerCase().includes(phrase),
  );
  const set = (ids: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) isChosen ? next.add(id) : next.delete(id);
    onChoose(next);
  };
  const ids = found.map(({ actionId }) => actionId);
  return (
    <fieldset className="imported-actions">
      <legend>{words.actions(chosen.size, actions.length)}</legend>
      <Stack gap="xs">
        <Group align="end" gap="xs">
          <TextInput
            label={words.find}
            style={{ flex: 1 }}
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <Button variant="default" onClick={() => set(ids, true)}>
            {words.all(phrase !== '')}
          </Button>
          <Button variant="default" onClick={() => set(ids, false)}>
            {words.none(phrase !== '')}
          </Button>
        </Group>
        <div className="imported-list">
          {found.slice(0, MAX_SHOWN).map(({ actionId, name, effect }) => (
            <Checkbox
              key={actionId}
              label={name}
              description={`${actionId} · ${APPS.actions.effects[effect]}`}
              checked={chosen.has(actionId)}
              onChange={({ currentTarget }) => set([actionId], currentTarget.checked)}
            />
          ))}
          {found.length === 0 && <Text size="sm">{words.noneMatch}</Text>}
          {found.length > MAX_SHOWN && <Text size="sm">{words.more(found.length - MAX_SHOWN)}</Text>}
        </div>
      </Stack>
    </fieldset>
  );
}
