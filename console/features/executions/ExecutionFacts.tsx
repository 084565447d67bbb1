import '../../ui/table/whole.css';
import { Anchor, Group, Spoiler } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../../app/api/me.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { Fact } from '../../ui/Fact.tsx';
import { Status } from '../../ui/Status.tsx';
import { Duration, Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { Value } from '../values/Value.tsx';
import { RetriedAs } from './ExecutionTable.tsx';
import { type ExecutionWhole, executionNumber, readInput, readOutput } from './queries/executions.ts';
import { EXECUTION } from './words.ts';
import './executionState.css';
import { useNow } from '../../ui/time/clock.ts';
import { whyItWaits } from './whyItWaits.ts';

const words = EXECUTION;

export function ExecutionFacts({ execution }: { execution: ExecutionWhole }) {
  const {
    id,
    startedAt,
    stoppedAt,
    startedBy,
    workflow,
    workflowVersion,
    parentExecution,
    retryOf,
    retriedBy,
    traceId,
  } = execution;
  const may = useMay();
  const by = startedBy === undefined ? undefined : (words.startedBy[startedBy.type] ?? startedBy.type);
  return (
    <>
      <Group gap="lg" mb="sm">
        <Fact name={words.started}>
          <Moment at={startedAt} />
        </Fact>
        <Fact name={words.duration}>
          <Duration from={startedAt} to={stoppedAt} />
        </Fact>
        {by !== undefined && (
          <Fact name={words.by}>
            {by}
            {startedBy?.name !== undefined && ` ${startedBy.name}`}
          </Fact>
        )}
        {workflow != null && (
          <Fact name={words.workflow}>
            {may('workflows:read') ? (
              <Anchor component={Link} to={`/workflows/${workflow.id}`} underline="always">
                {workflow.name}
              </Anchor>
            ) : (
              workflow.name
            )}
          </Fact>
        )}
        {workflowVersion != null && <Fact name={words.version}>{workflowVersion}</Fact>}
        {parentExecution != null && (
          <Fact name={words.parent}>
            <ExecutionLink execution={parentExecution} />
          </Fact>
        )}
        {retryOf != null && (
          <Fact name={words.retryOf}>
            <ExecutionLink execution={retryOf} />
          </Fact>
        )}
        {retriedBy != null && (
          <Fact name={words.retriedBy}>
            <RetriedAs retry={retriedBy} /> <Status status={retriedBy.status} />
          </Fact>
        )}
        {traceId !== undefined && (
          <Fact name={words.trace}>
            <CopyText size="compact-xs" text={traceId} label={WORDS.copy(words.traceId)} />
          </Fact>
        )}
      </Group>
      <Group gap={4} mb="sm">
        {Object.entries(execution.labels ?? {}).map(([key, value]) => (
          <span key={key} className="label">
            {key}={value}
          </span>
        ))}
      </Group>
      <Whole name={words.whole.input}>
        <Value
          label={words.inputOf(words.theExecution)}
          value={execution.input}
          bytes={execution.inputBytes}
          load={execution.inputLink ? () => readInput(id) : undefined}
        />
      </Whole>
      {execution.status === 'COMPLETED' && (
        <Whole name={words.whole.output}>
          <Value
            label={words.outputOf(words.theExecution)}
            value={execution.output}
            bytes={execution.outputBytes}
            load={execution.outputLink ? () => readOutput(id) : undefined}
          />
        </Whole>
      )}
    </>
  );
}

/** Shows the number once it is read, because a retry has the name of its original. */
function ExecutionLink({ execution: { id, name } }: { execution: { id: string; name: string } }) {
  const { data: number } = useQuery(executionNumber(id));
  return (
    <Anchor component={Link} to={`/executions/${id}`} underline="always">
      {number == null ? name : words.title(number, name)}
    </Anchor>
  );
}

function Whole({ name, children }: { name: string; children: ReactNode }) {
  return (
    <details className="whole">
      <summary>{name}</summary>
      <Spoiler maxHeight={320} showLabel={WORDS.more} hideLabel={WORDS.less}>
        {children}
      </Spoiler>
    </details>
  );
}

export function ExecutionState({ execution }: { execution: ExecutionWhole }) {
  const now = useNow();
  const { status, statusMessage, acknowledged } = execution;
  // Some messages only repeat the state.
  const message = status !== undefined && statusMessage === WORDS.status[status] ? undefined : statusMessage;
  return (
    <div role="status" className="why">
      {status !== undefined && <Status status={status} />} {whyItWaits(execution, now) ?? message}
      {acknowledged != null && (
        <div>
          {words.acknowledged(acknowledged.by.name)} <Moment at={acknowledged.at} />
          {acknowledged.note !== null && <>: {acknowledged.note}</>}
        </div>
      )}
    </div>
  );
}
