// test: long
import { afterAll, expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { editedBuild } from '../setup/stack/newBuild.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { isAlive } from '../setup/stack/ownStack.ts';
import { action, control, edges } from '../setup/workspace/graph.ts';
import { stepOf } from '../setup/workspace/home.ts';

const MAX_OUTPUT_BYTES = 20_000;
const BYTES = 4_000;
const ENOUGH = 5;

/** The worker dies after writing the iteration that exceeds the limit, before it reports that. */
const build = await editedBuild({
  file: 'activities/execution/loopOutput.js',
  from: /const problem = compiled && (entriesProblem\(compiled\.node, bytes, maxOutputBytes\));/,
  to: "const problem = compiled && $1; if (problem) process.kill(process.pid, 'SIGKILL');",
});
afterAll(() => build.remove());
const { stack, home } = await ownHome({ environment: { MAX_OUTPUT_BYTES: String(MAX_OUTPUT_BYTES) } });

test('a worker that dies when the outputs of a loop become too large leaves a loop that fails, and counts none twice', async () => {
  const workflowId = await home.deploy({
    nodes: [
      control('each', 'forEach', { items: Array(20).fill(0), concurrency: 2 }),
      action('far', 'testing.payload', { bytes: BYTES }, { parentId: 'each' }),
    ],
    edges: edges('trigger>each'),
  });
  await stack.stop();
  await stack.startAgain(build.dist);
  const { main } = await stack.pids();
  const executionId = await home.execute(workflowId);
  await poll(() => isAlive(main), { timeout: 60_000 }).toBe(false);
  await stack.killMain();
  await stack.startAgain();
  const execution = await home.ended(executionId);
  expect(execution.status).toBe('FAILED');
  const { error, iterations } = stepOf(execution, 'each');
  expect(error.code).toBe('OUTPUT_TOO_LARGE');
  expect(iterations.completed).toBeGreaterThanOrEqual(ENOUGH);
  expect(iterations.completed).toBeLessThanOrEqual(ENOUGH + 2);
}, 240_000);
