import { lazyPart } from '../../ui/load/lazyPart.ts';
import '../../ui/table/whole.css';
import { Code, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { Json } from '../../../domain/json.ts';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { type DefinitionChange, definitionChanges } from './definitionChanges.ts';
import { oneVersion, type VersionWhole } from './queries/workflows.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS.versions;
const DefinitionText = lazyPart(() => import('./DefinitionText.tsx'), 'DefinitionText');

interface VersionChangesProps {
  workflowId: string;
  from: number;
  to: number;
}

export function VersionChanges({ workflowId, from, to }: VersionChangesProps) {
  const before = useQuery(oneVersion(workflowId, from));
  const after = useQuery(oneVersion(workflowId, to));
  const [isTextOpen, setTextOpen] = useState(false);
  const error = before.error ?? after.error;
  if (error !== null) {
    const again = () => {
      void before.refetch();
      void after.refetch();
    };
    return <ProblemAlert error={error} onRetry={again} />;
  }
  if (before.data === undefined || after.data === undefined) return <Loading height={120} />;
  const changes = definitionChanges(before.data, after.data);
  return (
    <Stack gap="xs" component="section" aria-label={words.changes(from, to)}>
      <Title order={2} size="h4">
        {words.changes(from, to)}
      </Title>
      {changes.length === 0 && <Text>{words.same}</Text>}
      <List spacing={4}>
        {changes.map((change) => (
          <List.Item key={change.text}>
            <Change change={change} />
          </List.Item>
        ))}
      </List>
      <OpenOnes version={before.data} />
      <details className="whole" onToggle={(event) => setTextOpen(event.currentTarget.open)}>
        <summary>{words.text}</summary>
        {isTextOpen && (
          <Suspense fallback={<Loading height={120} />}>
            <DefinitionText label={words.textLabel} from={before.data} to={after.data} />
          </Suspense>
        )}
      </details>
    </Stack>
  );
}

const TONES = { added: 'good', removed: 'bad', changed: 'run' } as const;
const SIGNS = { added: '+', removed: '−', changed: '~' } as const;

function Change({ change: { kind, text, values } }: { change: DefinitionChange }) {
  return (
    <>
      <span className="change" data-tone={TONES[kind]} aria-hidden>
        {SIGNS[kind]}
      </span>{' '}
      {text}
      {values !== undefined && (
        <Text size="xs" component="span" display="block">
          {words.was} <Code>{short(values.from)}</Code>, {words.is} <Code>{short(values.to)}</Code>
        </Text>
      )}
    </>
  );
}

/** Longer values are only in the text below. */
const MAX_SHOWN = 120;

function short(value: Json): string {
  if (value === null) return WORDS.none;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function OpenOnes({ version: { openExecutions, version } }: { version: VersionWhole }) {
  if (openExecutions === 0) return null;
  return <Text size="sm">{words.staysOn(openExecutions, version)}</Text>;
}
