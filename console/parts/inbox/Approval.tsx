import { Anchor, Button, Card, Code, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { type ApprovalAnswer, type AskingTask, answerApprovals, type PendingApproval } from '../../data/approvals.ts';
import { useCatalogueNames } from '../../data/catalogueNames.ts';
import { useMay } from '../../data/me.ts';
import { TurnAttached } from '../../data/turnAttached.ts';
import { INBOX } from '../../words/en/inbox.ts';
import { Moment } from '../Moment.tsx';
import { done } from '../notices.tsx';
import { ProblemAlert } from '../problem/ProblemAlert.tsx';
import { WordsOf } from '../WordsOf.tsx';

const words = INBOX.approval;

interface ApprovalProps {
  task: AskingTask;
  /** The list does not have it any more. */
  isClosed: boolean;
  onAnswered: () => void;
}

type Decisions = Readonly<Record<string, Omit<ApprovalAnswer, 'approvalId'> | undefined>>;

/** What an agent wants to do, and whether it may; all that one of its turns asks is answered together. */
export function Approval({ task, isClosed, onAnswered }: ApprovalProps) {
  const queries = useQueryClient();
  const mayAnswer = useMay()('agents:use');
  const [reasons, setReasons] = useState<Record<string, string>>({});
  const [decisions, setDecisions] = useState<Decisions>({});
  const [isIncomplete, setIncomplete] = useState(false);
  const asked = task.pendingApprovals ?? [];
  const agentId = task.agent?.id ?? '';
  const agent = task.agent?.name ?? '';
  const answer = useMutation({
    mutationFn: (answers: ApprovalAnswer[]) => answerApprovals(agentId, task.id, answers),
    onSuccess: () => {
      done(words.done);
      void queries.invalidateQueries({ queryKey: ['listTasks'] });
      onAnswered();
    },
  });
  const send = (decided: Decisions) => {
    const missing = asked.some(({ approvalId }) => decided[approvalId] === undefined);
    setIncomplete(missing);
    if (missing) return;
    answer.mutate(
      asked.map(({ approvalId }) => {
        const reason = reasons[approvalId]?.trim() ?? '';
        return { approvalId, approved: decided[approvalId]?.approved === true, ...(reason === '' ? {} : { reason }) };
      }),
    );
  };
  const decide = (approvalId: string, approved: boolean) => {
    const next = { ...decisions, [approvalId]: { approved } };
    setDecisions(next);
    if (asked.length === 1) send(next);
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
                onReason={(reason) => setReasons({ ...reasons, [call.approvalId]: reason })}
                chosen={asked.length > 1 ? decisions[call.approvalId]?.approved : undefined}
                isBusy={answer.isPending}
                onDecide={(approved) => decide(call.approvalId, approved)}
              />
            ))}
            {isIncomplete && <Text role="alert">{words.undecided}</Text>}
            {asked.length > 1 && (
              <Group>
                <Button loading={answer.isPending} onClick={() => send(decisions)}>
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
  /** Of several calls the buttons only choose. */
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
        <WordsOf value={input} nothing={words.nothing} label={words.with} />
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
