import { Code, List, Text } from '@mantine/core';
import { APPS } from './words.ts';

const words = APPS.import;
const MAX_SHOWN = 100;

/** Lists the parts of a document that an app does without, and why. */
export function LeftOut({ places }: { places: readonly { path: string; message: string }[] }) {
  if (places.length === 0) return null;
  const more = places.length - MAX_SHOWN;
  return (
    <details>
      <summary>{words.leftOut(places.length)}</summary>
      <List size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
        {places.slice(0, MAX_SHOWN).map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <Code>{path}</Code> {message}
          </List.Item>
        ))}
      </List>
      {more > 0 && <Text size="sm">{words.leftOutMore(more)}</Text>}
    </details>
  );
}
