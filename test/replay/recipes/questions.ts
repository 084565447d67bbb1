import { action, chain, control, edges, question } from '../../setup/workspace/graph.ts';
import { execute, type Recipes, remote, set } from './recipe.ts';

export const QUESTIONS = {
  async inputSubmitted(home) {
    const id = await execute(home, {
      nodes: [remote('a'), question('ask', { expiresInMs: 600_000 }), set('b')],
      edges: chain('a', 'ask', 'b'),
    });
    await home.asked(id, 'ask');
    await home.submit(id, 'ask', { answer: 'x' });
    return id;
  },
  async inputSettled(home) {
    const id = await execute(home, {
      nodes: [question('ask', { expiresInMs: 600_000 }), remote('a'), question('also'), set('b'), remote('join')],
      edges: edges('ask>a', 'also>b', 'a>join', 'b>join'),
    });
    await home.asked(id, 'also');
    await home.submit(id, 'ask', { answer: 'x' });
    await home.submit(id, 'also', { answer: 'y' });
    return id;
  },
  async inputThenLong(home) {
    const id = await execute(home, {
      nodes: [question('ask'), action('long', 'testing.wait', { ms: 2_000 }), question('again'), set('b')],
      edges: chain('ask', 'long', 'again', 'b'),
    });
    await home.asked(id, 'ask');
    await home.submit(id, 'ask', { answer: 'x' });
    await home.asked(id, 'again');
    await home.submit(id, 'again', { answer: 'y' });
    return id;
  },
  inputExpired: (home) =>
    execute(home, { nodes: [question('ask', { expiresInMs: 100 }), set('late')], edges: edges('ask:expired>late') }),
  async questionsInLoop(home) {
    const id = await execute(home, {
      nodes: [
        control('each', 'forEach', { items: [1, 2, 3], concurrency: 3 }),
        question('ask', { expiresInMs: 3_000, approvals: { required: 2 } }, { parentId: 'each' }),
        { ...remote('work'), parentId: 'each' },
      ],
      edges: edges('ask>work', 'ask:expired>work'),
    });
    const { pendingInput } = await home.until(id, (read) => read.pendingInput.length === 3);
    // The first gets all required answers, the second one of two, the third none.
    const [first, second] = pendingInput.map(({ stepId }: { stepId: string }) => stepId);
    for (const stepId of [first, second]) await home.submit(id, 'ask', { answer: 'x' }, stepId, home.api);
    await home.submit(id, 'ask', { answer: 'x' }, first, await home.person());
    return id;
  },
} satisfies Recipes;
