import { Countdown, Moment } from '../../ui/time/Moment.tsx';
import { COMMON } from '../../ui/words/common.ts';
import type { AskingTask } from '../approvals/queries.ts';
import type { CatalogueNames } from '../catalogue/catalogueNames.ts';
import type { HeldItem } from '../queues/leaseMutations.ts';
import { Expiry } from './Expiry.tsx';
import type { InboxRow } from './InboxList.tsx';
import type { ListedQuestion } from './queries.ts';
import { INBOX } from './words.ts';

const words = INBOX;

export function questionRow(question: ListedQuestion): InboxRow {
  const { executionId, stepId, title, label, executionName, executionNumber, iteration, approvals, expiresAt } =
    question;
  const place = iteration.at(-1);
  const notes = [
    `${executionName} #${executionNumber}`,
    ...(place === undefined ? [] : [words.iteration(place.index, place.total)]),
    ...(approvals.required > 1 ? [words.approvalsGiven(approvals.given, approvals.required)] : []),
  ];
  return {
    entry: { kind: 'question', executionId, stepId },
    title: title ?? label,
    about: (
      <>
        {notes.join(' · ')}
        {expiresAt !== undefined && (
          <>
            {' · '}
            <Expiry at={expiresAt} />
          </>
        )}
      </>
    ),
    beside: <Moment at={question.requestedAt} />,
  };
}

export function approvalRow(
  { id, name, agent, pendingApprovals = [], lastActivityAt }: AskingTask,
  toolName: CatalogueNames['toolName'],
): InboxRow {
  const tools = pendingApprovals.map((call) => toolName(call.toolName));
  return {
    entry: { kind: 'approval', taskId: id },
    title: words.approvalOf(tools.length === 1 ? (tools[0] ?? '') : words.calls(tools.length), agent?.name ?? ''),
    about: name ?? words.approval.noTask,
    beside: <Moment at={lastActivityAt} />,
  };
}

export function itemRow({ queueId, itemId, queueName, name, expiresAt, isLost }: HeldItem): InboxRow {
  return {
    entry: { kind: 'item', queueId, itemId },
    title: name,
    about: queueName,
    beside: isLost ? COMMON.expired : <Countdown at={expiresAt} />,
  };
}
