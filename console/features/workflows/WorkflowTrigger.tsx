import { Anchor, Code, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { components } from 'perdure-client';
import { useMay } from '../../app/api/me.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { Fact } from '../../ui/Fact.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { Moment } from '../../ui/time/Moment.tsx';
import { durationText } from '../../ui/time/times.ts';
import { useCatalogueNames } from '../catalogue/catalogueNames.ts';
import { queueName } from '../queues/queries.ts';
import { methodsOf, webhookCommand, webhookUrl } from '../webhooks/webhookCommand.ts';
import type { WorkflowWhole } from './queries/workflows.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS.start;
const WebhookSample = lazyPart(() => import('./WebhookSample.tsx'), 'WebhookSample');
const ScheduleTimes = lazyPart(() => import('./ScheduleTimes.tsx'), 'ScheduleTimes');

type Schemas = components['schemas'];

export function WorkflowTrigger({ workflow }: { workflow: WorkflowWhole }) {
  const trigger = workflow.triggerNode;
  if (trigger == null) return null;
  return (
    <Stack gap="sm">
      <Text fw={600}>{WORKFLOWS.triggers[trigger.type]}</Text>
      {trigger.type === 'manual' && <ManualTrigger workflowId={workflow.id} fields={trigger.config.fields ?? []} />}
      {trigger.type === 'webhook' && <WebhookTrigger workflowId={workflow.id} config={trigger.config} />}
      {trigger.type === 'schedule' && (
        <>
          <ScheduleTimes workflow={workflow} config={trigger.config} />
          <LastError workflow={workflow} />
        </>
      )}
      {trigger.type === 'poll' && <PollTrigger workflow={workflow} config={trigger.config} />}
      {trigger.type === 'queue' && <QueueTrigger config={trigger.config} />}
    </Stack>
  );
}

function ManualTrigger({ workflowId, fields }: { workflowId: string; fields: readonly Schemas['Field'][] }) {
  const url = new URL(`/api/executions/workflows/${workflowId}/execute`, location.origin).href;
  const input = Object.fromEntries(
    fields.map(({ key, type, default: preset }) => [key, preset ?? EXAMPLES[type] ?? '…']),
  );
  const body = JSON.stringify({ inputData: input });
  const command = [`curl '${url}'`, '-H "X-API-Key: $PERDURE_API_KEY"', `-H 'Content-Type: application/json'`]
    .concat(`-d '${body.replaceAll("'", `'\\''`)}'`)
    .join(' \\\n  ');
  return (
    <>
      <Text>{words.manual}</Text>
      {fields.length > 0 && (
        <div>
          <Text size="sm">{words.fields}</Text>
          <List size="sm">
            {fields.map(({ key, label, type, required }) => (
              <List.Item key={key}>
                <Code>{key}</Code> {label} ({type}
                {required && `, ${words.required}`})
              </List.Item>
            ))}
          </List>
        </div>
      )}
      <Command text={command} />
    </>
  );
}

const EXAMPLES: Partial<Record<Schemas['Field']['type'], unknown>> = {
  ...{ number: 1, boolean: true, json: {}, multiSelect: [] },
};

function WebhookTrigger({ workflowId, config }: { workflowId: string; config: Schemas['WebhookConfig'] }) {
  const may = useMay();
  const { appId, respond = 'immediately', secret, hmac, duplicates } = config;
  const { workName } = useCatalogueNames();
  const url = webhookUrl(workflowId);
  return (
    <>
      <Group gap="xs">
        <Fact name={words.url}>
          <Code style={{ overflowWrap: 'anywhere' }}>{url}</Code>
        </Fact>
        <CopyText size="compact-xs" text={url} label={words.copyUrl} />
      </Group>
      {appId !== undefined && <Fact name={words.event}>{workName(appId, config.triggerId ?? '')}</Fact>}
      <Fact name={words.methods}>{methodsOf(config).join(', ')}</Fact>
      <Text size="sm">{words.respond[respond]}</Text>
      {secret !== undefined && <Text size="sm">{words.secret}</Text>}
      {hmac?.format === 'slack' && <Text size="sm">{words.slackSignature}</Text>}
      {hmac !== undefined && hmac.format !== 'slack' && (
        <Text size="sm">
          {words.signature(hmac.header ?? 'X-Signature')}{' '}
          {hmac.format === 'body' ? words.plainBody : words.timestamped(hmac.toleranceSeconds ?? 300)}
        </Text>
      )}
      {secret === undefined && hmac === undefined && <Text size="sm">{words.open}</Text>}
      {duplicates !== undefined && (
        <Text size="sm">{words.duplicates(duplicates.key, durationText(duplicates.forMs))}</Text>
      )}
      <Command text={webhookCommand(url, config)} />
      {may('executions:run') && <WebhookSample workflowId={workflowId} needs={config} />}
    </>
  );
}

function PollTrigger({ workflow, config }: { workflow: WorkflowWhole; config: Schemas['PollConfig'] }) {
  const { appId, triggerId, everyMs } = config;
  const { triggerStatus, pollStorage } = workflow;
  const { workName } = useCatalogueNames();
  return (
    <>
      <Group gap="lg">
        <Fact name={words.polls}>
          {workName(appId, triggerId)} <Code>{`${appId}.${triggerId}`}</Code>
        </Fact>
        <Fact name={words.every}>{durationText(everyMs)}</Fact>
        <Fact name={words.lastPoll}>
          {triggerStatus?.lastPolledAt == null ? words.never : <Moment at={triggerStatus.lastPolledAt} />}
        </Fact>
      </Group>
      <LastError workflow={workflow} />
      {triggerStatus?.lastPolledAt != null && triggerStatus.lastError === null && (
        <Text size="sm">{words.noError}</Text>
      )}
      {pollStorage != null && <Text size="sm">{words.seen(pollStorage.seenKeys)}</Text>}
    </>
  );
}

function LastError({ workflow: { triggerStatus } }: { workflow: WorkflowWhole }) {
  const error = triggerStatus?.lastError;
  if (error == null) return null;
  return (
    <Text role="alert" size="sm" c="var(--ink-bad)">
      {words.lastError}: <Code>{error.code}</Code> {error.message}
    </Text>
  );
}

function QueueTrigger({ config: { queueId, batchSize } }: { config: Schemas['QueueConfig'] }) {
  const may = useMay();
  const { data } = useQuery({ ...queueName(queueId), enabled: may('queues:read') });
  return (
    <Group gap="lg">
      <Fact name={words.queue}>
        <Anchor component={Link} to={`/queues/${queueId}`} underline="always">
          {data?.name ?? queueId}
        </Anchor>
      </Fact>
      <Fact name={words.batch}>{batchSize ?? words.batchOfQueue}</Fact>
    </Group>
  );
}

function Command({ text }: { text: string }) {
  return (
    <div>
      <Group gap="xs" mb={4}>
        <Text size="sm">{words.command}</Text>
        <CopyText size="compact-xs" text={text} label={words.copyCommand} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre className="json command" tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}
