import { Anchor, Button, Card, Code, Group, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PLAN_TOOL } from '../../../../domain/agent/toolNames.ts';
import type { ToolPart } from '../../../../domain/agent/toolPart.ts';
import { Chip, type Tone } from '../../../ui/Chip.tsx';
import { WORDS } from '../../../ui/words/words.ts';
import type { ApprovalAnswer } from '../../approvals/queries.ts';
import { useCatalogueNames } from '../../catalogue/catalogueNames.ts';
import { Value } from '../../values/Value.tsx';
import { WordsOf } from '../../values/WordsOf.tsx';
import { PlanSteps } from './PlanSteps.tsx';
import { planSteps } from './toolParts.ts';
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
          {isAsked ? <WordsOf value={given} nothing={WORDS.none} label={words.input} /> : <Value value={given} />}
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
