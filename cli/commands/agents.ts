import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { StreamedEvent } from '#client';
import { isProblem } from '#client/problem';
import type { Handler } from '../commandSpec.ts';
import { EXIT } from '../exitCode.ts';
import { findId } from '../findByName.ts';
import { type Output, printable, printableLines } from '../output.ts';
import type { Place } from '../place.ts';
import { isYes } from '../prompt.ts';
import { openTerminal } from '../terminal.ts';
import { TurnRecord } from '../turnRecord.ts';

interface Chat {
  here: Place;
  agentId: string;
  taskId: string;
  out: Output;
  signal: AbortSignal;
}

/** Without a terminal it sends stdin once and exits with 10 at an approval. A failed single message exits with 1. */
export const chat: Handler = async ({ arguments: [word], options, out, place, signal }) => {
  const here = await place();
  const agentId = await findId(here, 'agent', word as string);
  const taskId = options.text('task') ?? randomUUID();
  const talk: Chat = { here, agentId, taskId, out, signal };
  out.note(`task ${taskId}`);
  const message = options.text('message') ?? (process.stdin.isTTY ? undefined : await text(process.stdin));
  if (message === undefined) return converse(talk);
  const { approvals, error } = await turn(talk, message);
  if (error !== undefined) return EXIT.failed;
  if (approvals.length === 0) return EXIT.done;
  for (const each of approvals) out.note(`Approval required: ${each.toolName} (${each.approvalId})`);
  return EXIT.personNeeded;
};

async function converse(talk: Chat): Promise<number> {
  const { signal } = talk;
  const terminal = openTerminal({ signal, onInterrupt: () => process.kill(process.pid, 'SIGINT') });
  try {
    for (;;) {
      const said = await terminal.ask('> ');
      if (said === undefined) return EXIT.done;
      if (said.trim() === '') continue;
      let approvals = await goingOn(talk, said);
      while (approvals.length > 0) {
        const parts = [];
        for (const { approvalId, toolName, input } of approvals) {
          // Show the whole call: nobody may approve something unseen.
          const call = printableLines(`${toolName} ${JSON.stringify(input, null, 2)}`);
          const answer = await terminal.ask(`${call}\napprove? [y/N] `);
          if (answer === undefined) return EXIT.personNeeded;
          parts.push({ type: 'tool-approval-response', approvalId, approved: isYes(answer) });
        }
        approvals = await goingOn(talk, { role: 'assistant', parts });
      }
    }
  } finally {
    terminal.close();
  }
}

/** A conflict with another turn of the task does not end the chat. */
async function goingOn(talk: Chat, message: string | object): Promise<TurnRecord['approvals']> {
  try {
    return (await turn(talk, message)).approvals;
  } catch (error) {
    if (!isProblem(error, 'CONFLICT')) throw error;
    talk.out.note(printable(error.detail));
    return [];
  }
}

/** Runs one turn and prints it while it runs, or with --json when it has ended. */
async function turn({ here, agentId, taskId, out, signal }: Chat, message: string | object): Promise<TurnRecord> {
  const record = new TurnRecord();
  for await (const chunk of here.client.streamTurn({ agentId, taskId, message, signal })) {
    if (out.form === 'jsonl') out.line(JSON.stringify(chunk));
    else if (out.form === 'people') print(out, chunk, record);
    if (chunk.type === 'tool-input-available' && !record.knows(chunk.toolCallId)) {
      out.note(`· ${printable(String(chunk.toolName))}`);
    }
    record.take(chunk);
  }
  const { text: answer, approvals, error } = record;
  if (out.form === 'json') out.value({ taskId, text: answer, approvals, error });
  return record;
}

function print(out: Output, chunk: StreamedEvent, { text: soFar }: TurnRecord): void {
  if (chunk.type === 'text-delta') out.raw(printableLines(String(chunk.delta)));
  else if (chunk.type === 'text-end') out.raw('\n');
  else if (chunk.type === 'error') out.note(printableLines(String(chunk.errorText)));
  else if (chunk.type === 'start' && soFar !== '') {
    // The model's answer was interrupted, and the model was called again.
    out.raw('\n');
    out.note('The answer starts again:');
  }
}
