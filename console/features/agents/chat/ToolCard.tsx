import { Anchor, Button, Card, Code, Group, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { UIMessage } from 'ai';
import { useState } from 'react';
import { PLAN_TOOL } from '../../../../domain/agent/toolNames.ts';
import { type ToolPart, toolPartOf } from '../../../../domain/agent/toolPart.ts';
import { Chip, type Tone } from '../../../ui/Chip.tsx';
import { WORDS } from '../../../ui/words/words.ts';
import type { ApprovalAnswer } from '../../approvals/queries.ts';
import { useCatalogueNames } from '../../catalogue/catalogueNames.ts';
import { ReadableValue } from '../../values/ReadableValue.tsx';
import { Value } from '../../values/Value.tsx';
import { CHAT } from './words.ts';

const words = CHAT;

const TONES: Record<string, Tone> = {
  'input-streaming': 'neutral',
  'input-available': 'run',
  'approval-requested': 'ask',
  'approval-responded': 'run',
  'output-available': 'good',
  'output-error': 'bad',
  'output-denied': 'neutral',
};

interface ToolCardProps {
  call: ToolPart;
  /** The execution that did the work, if the person may read executions. */
  executionId: string | undefined;
  onAnswer?: ((answer: ApprovalAnswer) => void) | undefined;
  /** Chosen but not sent yet, since other calls still wait for an answer. */
  answer: ApprovalAnswer | undefined;
  onTakeBack: (id: string) => void;
  othersAsked: number;
}

export function ToolCard({ call, executionId, onAnswer, answer, onTakeBack, othersAsked }: ToolCardProps) {
  const { toolName, input, rawInput, output, errorText, approval } = call;
  const said = useCatalogueNames().toolName(toolName);
  const state = answer !== undefined && call.state === 'approval-requested' ? 'approval-responded' : call.state;
  const isAsked = state === 'approval-requested';
  const steps = toolName === PLAN_TOOL ? planSteps(input) : undefined;
  const given = input ?? rawInput;
  return (
    <Card withBorder padding="sm" role="group" aria-label={toolName} className="tool">
      <Group gap="xs">
        <Text fw={600} size="sm">
          {steps === undefined ? said : words.plan}
        </Text>
        {steps === undefined && said !== toolName && <Code>{toolName}</Code>}
        <Chip tone={TONES[state] ?? 'neutral'}>{words.toolStates[state] ?? state}</Chip>
        {executionId !== undefined && (
          <Anchor component={Link} to={`/executions/${executionId}`} size="sm" underline="always">
            {words.execution}
          </Anchor>
        )}
      </Group>
      {steps !== undefined && <PlanSteps steps={steps} />}
      {steps === undefined && given !== undefined && (
        <details open={isAsked}>
          <summary>{words.input}</summary>
          {isAsked ? <ReadableValue value={given} nothing={WORDS.none} label={words.input} /> : <Value value={given} />}
        </details>
      )}
      {steps === undefined && state === 'output-available' && (
        <details>
          <summary>{words.output}</summary>
          <Value value={output} />
        </details>
      )}
      {state === 'output-error' && (
        <Text size="sm" c="var(--ink-bad)" style={{ overflowWrap: 'anywhere' }}>
          {errorText}
        </Text>
      )}
      {state === 'output-denied' && approval?.reason !== undefined && (
        <Text size="sm">{words.deniedBecause(approval.reason)}</Text>
      )}
      {isAsked && onAnswer !== undefined && approval !== undefined && <Approval id={approval.id} onAnswer={onAnswer} />}
      {answer !== undefined && othersAsked > 0 && (
        <Group gap="xs">
          <Text size="sm">
            {words.chosen(answer.approved)} {words.asksOthers(othersAsked)}
          </Text>
          <Button size="xs" variant="default" onClick={() => onTakeBack(answer.id)}>
            {words.chooseAgain}
          </Button>
        </Group>
      )}
    </Card>
  );
}

function Approval({ id, onAnswer }: { id: string; onAnswer: (answer: ApprovalAnswer) => void }) {
  const [reason, setReason] = useState('');
  const deny = () => onAnswer({ id, approved: false, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) });
  return (
    <fieldset className="approval">
      <legend>{words.asked}</legend>
      <Group align="flex-end" gap="xs">
        <Button onClick={() => onAnswer({ id, approved: true })}>{words.approve}</Button>
        <Button variant="default" onClick={deny}>
          {words.deny}
        </Button>
        <TextInput
          label={words.reason}
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          style={{ flexGrow: 1 }}
        />
      </Group>
    </fieldset>
  );
}

const STEP_TONES: Record<string, Tone> = { open: 'neutral', underWay: 'run', done: 'good', dropped: 'neutral' };

function PlanSteps({ steps }: { steps: readonly PlanStep[] }) {
  return (
    <ol className="plan">
      {steps.map(({ title, status }, at) => (
        <li key={at}>
          {title} <Chip tone={STEP_TONES[status] ?? 'neutral'}>{CHAT.planStates[status] ?? status}</Chip>
        </li>
      ))}
    </ol>
  );
}

/** Returns the calls that wait for an approval. Only those of the newest message can be answered. */
export function askedIn(message: UIMessage | undefined): ToolPart[] {
  return (message?.parts ?? []).flatMap((part) => {
    const call = toolPartOf(part);
    return call?.state === 'approval-requested' && call.approval !== undefined ? [call] : [];
  });
}

interface PlanStep {
  title: string;
  status: string;
}

/** Returns the steps of a call of the tool `plan`; undefined while the call is incomplete. */
function planSteps(input: unknown): PlanStep[] | undefined {
  const steps = (input as { steps?: unknown } | undefined)?.steps;
  if (!Array.isArray(steps)) return undefined;
  return steps.flatMap((step: unknown) => {
    const { title, status = 'open' } = (step ?? {}) as { title?: unknown; status?: unknown };
    return typeof title === 'string' ? [{ title, status: String(status) }] : [];
  });
}
