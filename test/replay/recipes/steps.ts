import { stackTemporal } from '../../setup/stack/temporal.ts';
import { action, chain, control, edges, question } from '../../setup/workspace/graph.ts';
import { statuses } from '../../setup/workspace/home.ts';
import { unsentCancelled } from '../../setup/workspace/unsentCancelled.ts';
import { execute, type Recipes, remote, set } from './recipe.ts';

/** Sequential and parallel steps, their errors and retries, and ends of executions. */
export const STEPS = {
  inline: (home) =>
    execute(home, {
      nodes: [set('a'), control('check', 'condition', { condition: true }), set('yes'), set('no')],
      edges: edges('a>check', 'check:true>yes', 'check:false>no'),
    }),
  remote: (home) => execute(home, { nodes: [remote('a'), set('b'), remote('c')], edges: chain('a', 'b', 'c') }),
  retry: (home) =>
    execute(home, {
      nodes: [
        action('flaky', 'testing.fail', { times: 2 }, { retry: { maximumAttempts: 3, initialIntervalMs: 20 } }),
        set('after'),
      ],
      edges: chain('flaky', 'after'),
    }),
  parallelJoin: (home) =>
    execute(home, {
      nodes: [set('start'), remote('a'), remote('b'), set('c'), set('join')],
      edges: edges('start>a', 'start>b', 'start>c', 'a>join', 'b>join', 'c>join'),
    }),
  errorRoute: (home) =>
    execute(home, {
      nodes: [action('bad', 'testing.fail', {}, { onError: 'route' }), remote('after'), remote('handler')],
      edges: edges('bad>after', 'bad:error>handler'),
    }),
  failure: (home) =>
    execute(home, {
      nodes: [remote('a'), action('bad', 'testing.fail'), set('never')],
      edges: chain('a', 'bad', 'never'),
    }),
  delay: (home) =>
    execute(home, { nodes: [control('wait', 'delay', { forMs: 50 }), set('after')], edges: chain('wait', 'after') }),
  everyControl: (home) =>
    execute(home, {
      nodes: [
        control('check', 'condition', { condition: true }),
        control('choose', 'switch', { cases: [{ name: 'b', when: '{{ true }}' }] }),
        control('answer', 'respond', { status: 202, body: { ok: true } }),
        remote('work'),
        action('compute', 'code.javascript', { code: 'return 1 + 1' }),
        control('halt', 'stop', { outcome: 'completed' }),
      ],
      edges: edges('check:true>choose', 'choose:b>answer', 'answer>work', 'work>compute', 'compute>halt'),
    }),
  async runWorkflow(home) {
    const workflowId = await home.deploy({ nodes: [remote('inside')] });
    return execute(home, {
      nodes: [
        control('call', 'runWorkflow', { workflowId }),
        control('begin', 'runWorkflow', { workflowId, wait: false }),
        set('after'),
      ],
      edges: chain('call', 'begin', 'after'),
    });
  },
  async adHoc(home) {
    const step = { appId: 'testing', actionId: 'succeed', inputs: { output: 1 } };
    return (await home.api('POST', '/api/runs', { body: { steps: [step, step] } })).body.executionId;
  },
  async retried(home) {
    const id = await execute(home, {
      nodes: [
        set('a'),
        control('check', 'condition', { condition: true }),
        remote('yes'),
        set('no'),
        remote('b'),
        set('c'),
      ],
      edges: edges('a>check', 'check:true>yes', 'check:false>no', 'yes>b', 'no>b', 'b>c'),
    });
    await home.ended(id);
    return (await home.api('POST', `/api/executions/${id}/retry`, { body: { fromStep: 'b' } })).body.executionId;
  },
  async stopWithOpenBranches(home) {
    const id = await execute(home, {
      nodes: [
        action('long', 'testing.wait', { ms: 600_000 }),
        action('again', 'testing.fail', {}, { retry: { maximumAttempts: 2, initialIntervalMs: 600_000 } }),
        question('other', { expiresInMs: 600_000 }),
        question('go'),
        control('halt', 'stop', { outcome: 'completed' }),
      ],
      edges: chain('go', 'halt'),
    });
    await home.until(id, allOpen);
    await home.submit(id, 'go', { answer: 'x' });
    return id;
  },
  async cancelled(home) {
    const id = await execute(home, {
      nodes: [
        action('long', 'testing.wait', { ms: 600_000 }),
        action('again', 'testing.fail', {}, { retry: { maximumAttempts: 2, initialIntervalMs: 600_000 } }),
        question('go'),
      ],
    });
    await home.until(id, allOpen);
    await (await stackTemporal()).workflow.getHandle(id).cancel();
    return id;
  },
  timedOut: (home) =>
    execute(home, {
      timeoutMs: 1_000,
      nodes: [
        action('long', 'testing.wait', { ms: 600_000 }),
        action('again', 'testing.fail', {}, { retry: { maximumAttempts: 2, initialIntervalMs: 600_000 } }),
        question('go'),
      ],
    }),
  unsentCancelled: (home) => execute(home, unsentCancelled()),
} satisfies Recipes;

function allOpen(snapshot: { executionPath?: unknown }): boolean {
  const now = snapshot.executionPath ? statuses(snapshot) : {};
  return now.long === 'RUNNING' && now.again === 'RETRYING' && now.go === 'NEEDS_INPUT';
}
