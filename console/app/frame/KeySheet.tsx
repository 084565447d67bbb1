import './keySheet.css';
import { Modal, Switch, Title } from '@mantine/core';
import { useState } from 'react';
import { areLettersOn, keysHere, switchLetters } from '../../ui/keys/pageKeys.ts';

const KEYS = {
  title: 'Keys',
  here: 'This page',
  lists: 'Lists',
  everywhere: 'Every page',
  list: [
    ['j, k', 'Next and previous row'],
    ['Enter', 'Open it'],
    ['x', 'Select it'],
  ] as const,
  find: 'Jump to anything by its name or number',
  search: 'Go to the search field',
  help: 'These keys',
  goTo: (place: string) => `Go to ${place}`,
  letters: 'Single letters are keys',
  lettersHelp: 'If off, only Ctrl combinations, Enter, Esc and the arrow keys work. Saved in this browser.',
};

interface KeySheetProps {
  places: readonly { key: string; label: string }[];
  onClose: () => void;
}

export function KeySheet({ places, onClose }: KeySheetProps) {
  const [here] = useState(keysHere);
  const [hasRows] = useState(() => document.querySelector('[data-walked]') !== null);
  const [isOn, setIsOn] = useState(areLettersOn);
  const everywhere = [
    ['Ctrl K', KEYS.find],
    ['/', KEYS.search],
    ['?', KEYS.help],
    ...places.map(({ key, label }) => [`g ${key}`, KEYS.goTo(label)] as const),
  ] as const;
  return (
    <Modal opened onClose={onClose} closeOnClickOutside title={KEYS.title} size="lg">
      {/* Focused so that the arrow keys scroll it. */}
      <div className="key-sheet" tabIndex={-1} data-autofocus>
        {here.length > 0 && <Keys title={KEYS.here} keys={here.map(({ key, does }) => [key, does])} />}
        {hasRows && <Keys title={KEYS.lists} keys={KEYS.list} />}
        <Keys title={KEYS.everywhere} keys={everywhere} />
      </div>
      <Switch
        mt="md"
        label={KEYS.letters}
        description={KEYS.lettersHelp}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          switchLetters(checked);
          setIsOn(checked);
        }}
      />
    </Modal>
  );
}

function Keys({ title, keys }: { title: string; keys: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <Title order={3} size="h6">
        {title}
      </Title>
      <dl>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
