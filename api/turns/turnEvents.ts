import type { UIMessageChunk } from 'ai';
import { messageChunks } from '../../domain/agent/messageChunks.ts';
import { isOpen } from '../../domain/agent/runStatus.ts';
import { errorTextOf } from '../../domain/agent/turnEnd.ts';
import { addUsage } from '../../domain/agent/usage.ts';
import type { FollowedGroup, FollowedRun } from '../../prisma/store/turn/readRunStream.ts';

/** Headers by which clients of the `ai` package recognize the stream. */
export const TURN_STREAM_HEADERS = { 'x-vercel-ai-ui-message-stream': 'v1', 'cache-control': 'no-cache' };
/** For the stream of another turn, which did not accept the request's message. */
export const ATTACHED_HEADERS = { ...TURN_STREAM_HEADERS, 'x-turn-attached': 'true' };
export const KEEP_ALIVE = ': keep-alive\n\n';
const DONE = 'data: [DONE]\n\n';

/** The position of a follower: after that chunk of that group. */
export interface TurnCursor {
  sequence: number;
  /** Last received chunk of the group after `sequence`; -1: none. */
  index: number;
  /** Mark of its message, if the client named an event. */
  message?: string;
}

/** Distinguishes messages in event ids, because each message counts its groups from 1. */
export function markOf(messageId: string): string {
  return messageId.slice(-8);
}

/** The cursor in `Last-Event-ID`; undefined if it is not an id of this stream. */
export function cursorOf(eventId: string | undefined): TurnCursor | undefined {
  const [, sequence, index, message] = /^(\d{1,9})-(\d{1,9})-([\w-]{1,8})$/.exec(eventId ?? '') ?? [];
  if (sequence === undefined || index === undefined || message === undefined) return undefined;
  return { sequence: Number(sequence) - 1, index: Number(index), message };
}

function line(chunk: UIMessageChunk, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(chunk)}\n\n`;
}

export function startEvent({ messageId }: FollowedRun): string {
  return line({ type: 'start', messageId });
}

/** The message of a turn whose chunks were deleted, for instance if a client repeats a message. */
export function keptEvents({ parts }: FollowedRun): string {
  return messageChunks(parts ?? [])
    .map((chunk) => line(chunk))
    .join('');
}

export function groupEvents(
  { sequence, chunks }: FollowedGroup,
  cursor: TurnCursor,
  { messageId }: Pick<FollowedRun, 'messageId'>,
): string {
  const from = sequence === cursor.sequence + 1 ? cursor.index + 1 : 0;
  return chunks
    .slice(from)
    .map((chunk, index) => line(chunk, `${sequence}-${from + index}-${markOf(messageId)}`))
    .join('');
}

export function endEvents({ status, finishReason, code, usages }: FollowedRun): string {
  if (isOpen(status)) return '';
  if (status === 'STOPPED') return line({ type: 'abort' }) + DONE;
  const failed = status === 'FAILED' ? line({ type: 'error', errorText: errorTextOf(code) }) : '';
  const reason = REASONS.find((each) => each === finishReason) ?? 'other';
  const metadata = usages.length === 0 ? {} : { messageMetadata: { usage: usages.reduce(addUsage) } };
  return failed + line({ type: 'finish', finishReason: reason, ...metadata }) + DONE;
}

const REASONS = ['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'] as const;
