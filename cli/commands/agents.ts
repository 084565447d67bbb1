import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { isYes } from '../ask.ts';
import type { Handler } from '../commandSpec.ts';
import { EXIT } from '../exitCode.ts';
import { findId } from '../find.ts';
import { type Output, printable } from '../output.ts';
import type { Place } from '../place.ts';

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

/** A conversation. On a terminal it asks for approvals; elsewhere it sends stdin once, and ends with 10 at an approval. */
export const chat: Handler = async ({ arguments: [word], options, out, place, signal }) => {
  const here = await place();
  const agentId = await findId(here, 'agent', word as string);
  const taskId = options.text('task') ?? randomUUID();
  const talk: Chat = { here, agentId, taskId, out, signal };
  out.note(`task ${taskId}`);
  const message = options.text('message') ?? (process.stdin.isTTY ? undefined : await text(process.stdin));
  if (message !== undefined) {
    const approvals = await turn(talk, message);
    if (approvals.length === 0) return EXIT.done;
    for (const each of approvals) out.note(`An approval is needed: ${each.toolName} (${each.approvalId})`);
    return EXIT.personNeeded;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (;;) {
      const said = await terminal.question('> ', { signal });
      if (said.trim() === '') continue;
      let approvals = await turn(talk, said);
      while (approvals.length > 0) {
        const parts = [];
        for (const { approvalId, toolName, input } of approvals) {
          const answer = await terminal.question(
            `${printable(`${toolName} ${JSON.stringify(input)}`)}\napprove? [y/N] `,
            { signal },
          );
          parts.push({ type: 'tool-approval-response', approvalId, approved: isYes(answer) });
        }
        approvals = await turn(talk, { role: 'assistant', parts });
      }
    }
  } finally {
    terminal.close();
  }
};

/** One turn, printed while it runs; answers what it waits to have approved. */
async function turn({ here, agentId, taskId, out, signal }: Chat, message: string | object): Promise<Approval[]> {
  const tools = new Map<string, { toolName: string; input: unknown }>();
  const approvals: Approval[] = [];
  for await (const chunk of here.client.streamTurn({ agentId, taskId, message, signal })) {
    if (out.form !== 'people') out.line(JSON.stringify(chunk));
    else if (chunk.type === 'text-delta') out.raw(String(chunk.delta));
    else if (chunk.type === 'text-end') out.raw('\n');
    else if (chunk.type === 'error') out.note(printable(String(chunk.errorText)));
    if (chunk.type === 'tool-input-available') {
      tools.set(String(chunk.toolCallId), { toolName: String(chunk.toolName), input: chunk.input });
      out.note(`· ${printable(String(chunk.toolName))}`);
    }
    if (chunk.type === 'tool-approval-request') {
      const tool = tools.get(String(chunk.toolCallId)) ?? { toolName: 'tool', input: undefined };
      approvals.push({ approvalId: String(chunk.approvalId), ...tool });
    }
  }
  return approvals;
}
