import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { StreamedEvent } from '#client';
import { isYes } from '../ask.ts';
import type { Handler } from '../commandSpec.ts';
import { EXIT } from '../exitCode.ts';
import { findId } from '../find.ts';
import { type Output, printable } from '../output.ts';
import type { Place } from '../place.ts';
import { openTerminal } from '../terminal.ts';

interface Approval {
  approvalId: string;
  toolName: string;
  input: unknown;
}

interface Chat {
  here: Place;
  agentId: string;
  taskId: string;
  out: Output;
  signal: AbortSignal;
}

interface Turn {
  /** The answer. */
  text: string;
  approvals: Approval[];
  /** Why it failed. */
  error?: string;
}

/**
 * A conversation. On a terminal it asks for approvals; elsewhere it sends stdin once, and ends with 10 at an approval. A turn
 * that fails ends a single message with 1; on a terminal the conversation goes on.
 */
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
  for (const each of approvals) out.note(`An approval is needed: ${each.toolName} (${each.approvalId})`);
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
      let { approvals } = await turn(talk, said);
      while (approvals.length > 0) {
        const parts = [];
        for (const { approvalId, toolName, input } of approvals) {
          const answer = await terminal.ask(`${printable(`${toolName} ${JSON.stringify(input)}`)}\napprove? [y/N] `);
          if (answer === undefined) return EXIT.personNeeded;
          parts.push({ type: 'tool-approval-response', approvalId, approved: isYes(answer) });
        }
        ({ approvals } = await turn(talk, { role: 'assistant', parts }));
      }
    }
  } finally {
    terminal.close();
  }
}

/** One turn, printed while it runs, with --json once it has ended; answers what it waits to have approved. */
async function turn({ here, agentId, taskId, out, signal }: Chat, message: string | object): Promise<Turn> {
  const tools = new Map<string, { toolName: string; input: unknown }>();
  const done: Turn = { text: '', approvals: [] };
  for await (const chunk of here.client.streamTurn({ agentId, taskId, message, signal })) {
    if (out.form === 'jsonl') out.line(JSON.stringify(chunk));
    else if (out.form === 'people') print(out, chunk, done);
    if (chunk.type === 'start') done.text = '';
    else if (chunk.type === 'text-delta') done.text += String(chunk.delta);
    else if (chunk.type === 'error') done.error = String(chunk.errorText);
    else if (chunk.type === 'tool-input-available') {
      tools.set(String(chunk.toolCallId), { toolName: String(chunk.toolName), input: chunk.input });
      out.note(`· ${printable(String(chunk.toolName))}`);
    } else if (chunk.type === 'tool-approval-request') {
      const tool = tools.get(String(chunk.toolCallId)) ?? { toolName: 'tool', input: undefined };
      done.approvals.push({ approvalId: String(chunk.approvalId), ...tool });
    }
  }
  if (out.form === 'json') out.value({ taskId, ...done });
  return done;
}

function print(out: Output, chunk: StreamedEvent, { text: soFar }: Turn): void {
  if (chunk.type === 'text-delta') out.raw(String(chunk.delta));
  else if (chunk.type === 'text-end') out.raw('\n');
  else if (chunk.type === 'error') out.note(printable(String(chunk.errorText)));
  else if (chunk.type === 'start' && soFar !== '') {
    // The model broke off, and was called again.
    out.raw('\n');
    out.note('The answer begins again:');
  }
}
