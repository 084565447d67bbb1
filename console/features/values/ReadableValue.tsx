import './values.css';
import { Text } from '@mantine/core';
import { readableText } from './readableText.ts';
import { Value } from './Value.tsx';

interface ReadableValueProps {
  value: unknown;
  nothing: string;
  label: string;
}

const DEEPEST = 3;
const MAX_ENTRIES = 30;

export function ReadableValue({ value, nothing, label }: ReadableValueProps) {
  if (!isNested(value)) return <Value value={value} />;
  if (Object.keys(value).length === 0) return <Text size="sm">{nothing}</Text>;
  return <Parts value={value} label={label} depth={1} />;
}

function Parts({ value, label, depth }: { value: object; label?: string; depth: number }) {
  const entries = Object.entries(value);
  if (depth > DEEPEST || entries.length > MAX_ENTRIES) return <Value value={value} />;
  const part = (each: unknown) => (isNested(each) ? <Parts value={each} depth={depth + 1} /> : readableText(each));
  if (Array.isArray(value)) {
    return (
      <ol className="words-list">
        {entries.map(([at, each]) => (
          <li key={at}>{part(each)}</li>
        ))}
      </ol>
    );
  }
  return (
    <dl className="words-of" aria-label={label}>
      {entries.map(([name, each]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{part(each)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Lists of plain values and empty parts take one line. */
function isNested(value: unknown): value is object {
  if (Array.isArray(value)) return value.some((each) => typeof each === 'object' && each !== null);
  return typeof value === 'object' && value !== null;
}
