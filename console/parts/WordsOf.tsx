import { Text } from '@mantine/core';
import { inWords } from '../data/earlierAnswers.ts';
import { Value } from './Value.tsx';
import './question.css';

interface WordsOfProps {
  value: unknown;
  /** Said where there is nothing. */
  nothing: string;
  label: string;
}

/** An object as names and values, which people read; what is nested stays JSON. */
export function WordsOf({ value, nothing, label }: WordsOfProps) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return <Value value={value} />;
  const entries = Object.entries(value);
  if (entries.length === 0) return <Text size="sm">{nothing}</Text>;
  return (
    <dl className="words-of" aria-label={label}>
      {entries.map(([name, each]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{isNested(each) ? <Value value={each} /> : inWords(each)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A list of plain values is said in one line. */
function isNested(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((each) => typeof each === 'object' && each !== null);
  return typeof value === 'object' && value !== null;
}
