import { Anchor, Button, Card, Code, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { useChosenAnswers } from '../approvals/chosenAnswers.ts';
import {
  type ApprovalAnswer,
  type AskingTask,
  answerApprovals,
  type PendingApproval,
  refreshApprovals,
} from '../approvals/queries.ts';
import { TurnAttached } from '../approvals/turnAttached.ts';
import { useCatalogueNames } from '../catalogue/catalogueNames.ts';
import { ReadableValue } from '../values/ReadableValue.tsx';
import { INBOX } from './words.ts';

const words = INBOX.approval;

interface ApprovalProps {
  task: AskingTask;
  /** The list no longer contains the task. */
  isClosed: boolean;
  onAnswered: () => void;
}

/** The tool calls that an agent's turn wants approved. They are answered together. */
export function Approval({ task, isClosed, onAnswered }: ApprovalProps) {
  const queries = useQueryClient();
  const mayAnswer = useMay()('agents:use');
  const [isIncomplete, setIncomplete] = useState(false);
  const asked = task.pendingApprovals ?? [];
  const agentId = task.agent?.id ?? '';
  const agent = task.agent?.name ?? '';
  const [chosen, choose] = useChosenAnswers(agentId, task.id, 'inbox');
  const [reasons, setReasons] = useState(() => Object.fromEntries(chosen.map(({ id, reason = '' }) => [id, reason])));
  const answer = useMutation({
    mutationFn: (answers: readonly ApprovalAnswer[]) => answerApprovals(agentId, task.id, answers),
    onSuccess: () => {
      choose([]);
      done(words.done);
      void refreshApprovals(queries);
      onAnswered();
    },
  });
  const answerOf = (all: readonly ApprovalAnswer[], approvalId: string) => all.find(({ id }) => id === approvalId);
  const send = (decided: readonly ApprovalAnswer[]) => {
    const missing = asked.some(({ approvalId }) => answerOf(decided, approvalId) === undefined);
    setIncomplete(missing);
    if (!missing) answer.mutate(decided);
  };
  const withAnswer = (id: string, approved: boolean, reason = reasons[id] ?? '') => {
    const own = { id, approved, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) };
    return asked.flatMap(({ approvalId }) => (approvalId === id ? own : (answerOf(chosen, approvalId) ?? [])));
  };
  const decide = (id: string, approved: boolean) => {
    const decided = withAnswer(id, approved);
    if (asked.length === 1) send(decided);
    else choose(decided);
  };
  const write = (id: string, reason: string) => {
    setReasons({ ...reasons, [id]: reason });
    const own = answerOf(chosen, id);
    if (own !== undefined) choose(withAnswer(id, own.approved, reason));
  };
  const isGone =
    (isClosed && !answer.isSuccess) ||
    answer.error instanceof TurnAttached ||
    (isProblem(answer.error) && [404, 409].includes(answer.error.status));
  return (
    <Card withBorder component="section" aria-label={words.title(agent)} className="question">
      <Title order={2} size="h4" tabIndex={-1} className="form-title">
        {words.title(agent)}
      </Title>
      <Text size="sm">
        {words.task}: {task.name ?? words.noTask} · <Moment at={task.lastActivityAt} /> ·{' '}
        <Anchor component={Link} to={`/agents/${agentId}/tasks/${task.id}`} underline="always">
          {words.where}
        </Anchor>
      </Text>
      {isGone && (
        <Text role="alert" className="closed">
          {words.gone}
        </Text>
      )}
      {answer.error !== null && !isGone && <ProblemAlert error={answer.error} />}
      {answer.isSuccess && <Text role="status">{words.done}</Text>}
      {!mayAnswer && <Text size="sm">{words.notAllowed}</Text>}
      {!answer.isSuccess && (
        <fieldset className="fields" disabled={isGone || !mayAnswer}>
          <Stack mt="sm">
            {asked.map((call) => (
              <Call
                key={call.approvalId}
                call={call}
                reason={reasons[call.approvalId] ?? ''}
                onReason={(reason) => write(call.approvalId, reason)}
                chosen={asked.length > 1 ? answerOf(chosen, call.approvalId)?.approved : undefined}
                isBusy={answer.isPending}
                onDecide={(approved) => decide(call.approvalId, approved)}
              />
            ))}
            {isIncomplete && <Text role="alert">{words.undecided}</Text>}
            {asked.length > 1 && (
              <Group>
                <Button
                  loading={answer.isPending}
                  onClick={() => send(chosen.filter(({ id }) => asked.some(({ approvalId }) => approvalId === id)))}
                >
                  {words.submit}
                </Button>
                <Text size="sm">{words.all}</Text>
              </Group>
            )}
          </Stack>
        </fieldset>
      )}
    </Card>
  );
}

interface CallProps {
  call: PendingApproval;
  reason: string;
  onReason: (reason: string) => void;
  /** Set if there are several calls: the buttons then choose and do not send. */
  chosen: boolean | undefined;
  isBusy: boolean;
  onDecide: (approved: boolean) => void;
}

function Call({ call: { toolName, input }, reason, onReason, chosen, isBusy, onDecide }: CallProps) {
  const said = useCatalogueNames().toolName(toolName);
  return (
    <fieldset className="fields" aria-label={words.decision(said)}>
      <Stack gap="xs">
        <Text>
          {words.call} <strong>{said}</strong> {said !== toolName && <Code>{toolName}</Code>}
        </Text>
        <ReadableValue value={input} nothing={words.nothing} label={words.with} />
        <Textarea
          label={words.reason}
          description={words.reasonHelp}
          autosize
          minRows={1}
          maxLength={1000}
          value={reason}
          onChange={(event) => onReason(event.currentTarget.value)}
        />
        <Group className="form-buttons">
          <Button
            variant={chosen === false ? 'default' : 'filled'}
            aria-pressed={chosen === undefined ? undefined : chosen}
            disabled={isBusy}
            onClick={() => onDecide(true)}
          >
            {words.approve}
          </Button>
          <Button
            variant={chosen === false ? 'filled' : 'default'}
            color={chosen === false ? 'red.9' : undefined}
            aria-pressed={chosen === undefined ? undefined : !chosen}
            disabled={isBusy}
            onClick={() => onDecide(false)}
          >
            {words.deny}
          </Button>
        </Group>
      </Stack>
    </fieldset>
  );
}
