import { Anchor, Code, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EXECUTION_STATUSES, isTerminal } from '../../../domain/execution/status.ts';
import { features } from '../../app/api/choices.ts';
import { Chip } from '../../ui/Chip.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Status } from '../../ui/Status.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { executionCounts } from '../executions/queries/executions.ts';
import { readiness } from './queries.ts';
import { SYSTEM } from './words.ts';
import '../../ui/settings.css';

const words = SYSTEM;
const PARTS = ['database', 'engine', 'worker'] as const;
const OPEN = EXECUTION_STATUSES.filter((status) => !isTerminal(status));

export function System() {
  return (
    <Page title={WORDS.navigation.settingsPages.system}>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
        <Parts />
        <OpenWork />
        <Product />
        <Features />
      </SimpleGrid>
    </Page>
  );
}

function Parts() {
  const ready = useQuery(readiness());
  return (
    <Section title={words.parts}>
      <Stack gap="xs">
        {ready.error !== null && <ProblemAlert error={ready.error} onRetry={() => void ready.refetch()} />}
        {ready.isPending && <Loading height={120} />}
        {ready.data !== undefined && (
          <>
            <Text role="status">{ready.data.ready ? words.allAnswer : words.notAll}</Text>
            <dl className="facts">
              {PARTS.map((part) => {
                const isGood = ready.data[part];
                return (
                  <Pair key={part} name={words.part[part]}>
                    <Chip tone={isGood ? 'good' : 'bad'} icon={isGood ? IconCheck : IconAlertTriangle}>
                      {isGood ? words.answers : words.answersNot}
                    </Chip>{' '}
                    <Text size="sm" component="span">
                      {words.partMeans[part]}
                    </Text>
                  </Pair>
                );
              })}
            </dl>
          </>
        )}
      </Stack>
    </Section>
  );
}

function Pair({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function OpenWork() {
  const counts = useQuery(executionCounts(''));
  const open = OPEN.map((status) => ({ status, count: counts.data?.[status] ?? 0 })).filter(({ count }) => count > 0);
  return (
    <Section title={words.work}>
      {counts.error !== null && <ProblemAlert error={counts.error} isRead />}
      {counts.isPending && <Loading height={60} />}
      {counts.data !== undefined && open.length === 0 && <Text>{words.noneOpen}</Text>}
      <dl className="facts">
        {open.map(({ status, count }) => (
          <Pair key={status} name={<Status status={status} />}>
            <Anchor renderRoot={(props) => <Link to="/executions" search={{ status }} {...props} />} underline="always">
              {count.toLocaleString('en')}
            </Anchor>
          </Pair>
        ))}
      </dl>
    </Section>
  );
}

function Product() {
  const { data } = useQuery(features());
  if (data === undefined) return <Section title={words.product}>{<Loading height={80} />}</Section>;
  return (
    <Section title={words.product}>
      <dl className="facts">
        <Pair name={words.version}>
          <Code>{data.version}</Code>
        </Pair>
        <Pair name={words.temporalUi}>
          {data.temporalUiUrl === undefined ? (
            words.noTemporalUi
          ) : (
            <Anchor href={data.temporalUiUrl} target="_blank" rel="noreferrer" underline="always">
              {data.temporalUiUrl}
            </Anchor>
          )}
        </Pair>
        {data.temporalNamespace !== undefined && (
          <Pair name={words.namespace}>
            <Code>{data.temporalNamespace}</Code>
          </Pair>
        )}
        <Pair name={words.documentation}>
          <Anchor href="/docs" target="_blank" underline="always">
            /docs
          </Anchor>
        </Pair>
      </dl>
    </Section>
  );
}

function Features() {
  const { data } = useQuery(features());
  const flags = Object.entries(data ?? {}).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean');
  return (
    <Section title={words.features}>
      <dl className="facts">
        {flags.map(([name, isThere]) => (
          <Pair key={name} name={words.feature[name] ?? name}>
            <Chip tone={isThere ? 'good' : 'neutral'} icon={isThere ? IconCheck : IconMinus}>
              {isThere ? words.yes : words.no}
            </Chip>
          </Pair>
        ))}
      </dl>
    </Section>
  );
}
