import { askedApprovals, withAnswers } from '../../domain/agent/approvals.ts';
import type { AgentDefinition } from '../../domain/agent/definition.ts';
import { isOpen } from '../../domain/agent/runStatus.ts';
import type { TurnBegin, TurnRef } from '../../domain/agent/turnCalls.ts';
import { readAgentForTurn } from '../../prisma/store/agent/readAgentForTurn.ts';
import { applyAnswers } from '../../prisma/store/turn/applyAnswers.ts';
import { type BegunTurn, beginTurn as noteBegun } from '../../prisma/store/turn/beginTurn.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import { readConversation } from '../../prisma/store/turn/readConversation.ts';
import { readStepCalls } from '../../prisma/store/turn/toolCalls.ts';
import type { ActivityServices } from '../services.ts';

const DEFAULT_ROUNDTRIPS = 10;
const DEFAULT_RETRIES = 2;
const UNANSWERED = 'Nobody answered before the conversation went on';

/**
 * Looks at what the turn begins with: answers of a person are taken into the message, and calls that were asked about and that
 * nobody has answered are denied.
 */
export async function beginTurn(services: ActivityServices, ref: TurnRef): Promise<TurnBegin> {
  const { database } = services;
  const begun = await noteBegun(database, ref.workspaceId, ref.runId);
  if (!begun || !isOpen(begun.status) || begun.stopRequested) return { kind: 'ended' };
  const agent = await readAgentForTurn(database, ref.workspaceId, begun.agentId);
  await answerApprovals(services, ref, begun);
  const calls = await readStepCalls(database, ref.workspaceId, ref.runId, 0);
  return {
    kind: 'begun',
    maxToolRoundtrips: agent ? roundtripsOf(agent.definition) : DEFAULT_ROUNDTRIPS,
    maxRetries: agent?.definition.maxRetries ?? DEFAULT_RETRIES,
    calls: calls
      .filter(({ status }) => status === 'PENDING')
      .map(({ toolCallId, kind, name }) => ({ toolCallId, kind, name })),
  };
}

/** The answer itself is the last of the steps. */
function roundtripsOf({ longHorizonMode, longHorizonMaxSteps, maxToolRoundtrips }: AgentDefinition): number {
  return longHorizonMode ? longHorizonMaxSteps - 1 : maxToolRoundtrips;
}

async function answerApprovals(services: ActivityServices, ref: TurnRef, begun: BegunTurn): Promise<void> {
  const { database, feed } = services;
  const conversation = await readConversation(database, ref.workspaceId, ref.runId);
  for (const message of conversation?.messages ?? []) {
    const asked = askedApprovals(message.parts);
    if (asked.size === 0) continue;
    const isOwn = message.id === begun.messageId && begun.approvals !== null;
    const answers = isOwn
      ? (begun.approvals ?? [])
      : [...asked.keys()].map((approvalId) => ({ approvalId, approved: false, reason: UNANSWERED }));
    const calls = answers.flatMap(({ approvalId, approved }) => {
      const toolCallId = asked.get(approvalId);
      return toolCallId === undefined ? [] : [{ toolCallId, approved }];
    });
    const parts = withAnswers(message.parts, answers);
    const written = await applyAnswers(database, ref.workspaceId, ref.runId, {
      messageId: message.id,
      parts,
      calls: isOwn ? calls : [],
    });
    if (written) feed.publish(changeOf(ref.runId, written));
  }
}
