import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { inject } from '../setup/stack/inject.ts';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { textsOf } from '../setup/stack/textsOf.ts';
import { makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';

/** Unique markers: a text with one contains words of people or models. */
const mark = (name: string) => `mark-${name}-${randomUUID().slice(0, 13)}`;
const SAID = {
  instructions: mark('instructions'),
  question: mark('question'),
  answer: mark('answer'),
  fact: mark('fact'),
  plan: mark('plan'),
  addition: mark('addition'),
  naming: mark('naming'),
};
const found = (text: string) => Object.values(SAID).filter((each) => text.includes(each));

test('nothing that people and models say stands in the histories of turns, or in a log', async () => {
  const home = await makeAgentHome({
    instructions: SAID.instructions,
    taskNamingInstructions: SAID.naming,
    ...{ memoryEnabled: true, requirePlanApproval: true, dynamicSelfInstructionsEnabled: true },
  });
  const steps = [
    callTools({ id: 'p', name: 'plan', arguments: { steps: [{ title: SAID.plan }] } }),
    callTools(
      { id: 'r', name: 'remember', arguments: { fact: SAID.fact } },
      { id: 'u', name: 'update_own_instructions', arguments: { instructions: SAID.addition } },
      { id: 'l', name: 'recall', arguments: { query: SAID.fact } },
      { id: 'w', name: 'recall', arguments: { limit: SAID.question } },
    ),
    say(SAID.answer),
  ];
  home.provider.answerBy(({ body }) => {
    const isNaming = String(body.messages[0]?.content).includes(SAID.naming);
    // The log reports the failure without the provider's input or message.
    return isNaming ? [{ status: 400, error: { message: 'Bad' } }] : (steps.shift() ?? []);
  });
  const taskId = randomUUID();
  const path = `/api/agents/${home.agentId}/tasks/${taskId}/message`;
  await home.api('POST', path, { body: { message: userMessage(SAID.question) } });
  const asked = await home.turn(taskId);
  expect(asked.status).toBe('NEEDS_APPROVAL');
  const parts = [{ type: 'tool-approval-response', approvalId: 'approve-p', approved: true, reason: SAID.answer }];
  const { status } = await home.api('POST', path, { body: { message: { role: 'assistant', parts } } });
  expect(status).toBe(200);
  const run = await home.turn(taskId);
  expect(run.status).toBe('COMPLETED');
  const { workflow } = await stackTemporal();
  for (const { id } of [asked, run]) {
    await engineStatus(id);
    const handle = workflow.getHandle(id);
    const texts = textsOf([await handle.fetchHistory(), (await handle.describe()).raw]);
    expect(texts).toContain(home.workspaceId);
    expectAbout(found(texts), `in the history of ${id}`).toEqual([]);
  }
  const said = JSON.stringify(home.provider.requests.map(({ body }) => body));
  for (const each of [SAID.instructions, SAID.question, SAID.fact, SAID.plan, SAID.addition, SAID.naming])
    expect(said).toContain(each);

  const folder = join(inject('stack').dataDir, 'logs');
  const logs = (await readdir(folder)).filter((name) => /(perdure|api-\d|worker-\d)\.log$/.test(name));
  const texts = await Promise.all(logs.map((name) => readFile(join(folder, name), 'utf8')));
  expect(texts.join('')).toContain('a task could not be named');
  expect(found(texts.join(''))).toEqual([]);
});
