// The workflows that the bench deploys through the public API. bench/bare/ does the same by hand.

export const WEBHOOK = { id: 'trigger', type: 'webhook', config: { respond: 'whenFinished' } };
const ORDER_BODY = '{{ trigger.body }}';

export function inARow(nodeIds: string[]) {
  return nodeIds.map((target, index) => ({ id: `e${index}`, source: nodeIds[index - 1] ?? 'trigger', target }));
}

export function action(id: string, appId: string, actionId: string, inputs: object) {
  return { id, type: 'action', appId, actionId, inputs };
}

export const THREE_INLINE = {
  slug: 'bench-inline',
  trigger: WEBHOOK,
  nodes: [
    action('named', 'core', 'set', {
      values: { customer: '{{ upper(trigger.body.customer) }}', items: '{{ trigger.body.items }}' },
    }),
    action('lines', 'core', 'transform', {
      value: '{{ steps.named.output.items.map(item, item.price * item.quantity) }}',
    }),
    action('total', 'core', 'transform', {
      value: { customer: '{{ steps.named.output.customer }}', total: '{{ sum(steps.lines.output) }}' },
    }),
  ],
  edges: inARow(['named', 'lines', 'total']),
};

export const THREE_REMOTE = {
  slug: 'bench-remote',
  trigger: WEBHOOK,
  nodes: [
    action('first', 'testing', 'succeed', { output: ORDER_BODY }),
    action('second', 'testing', 'succeed', { output: '{{ steps.first.output }}' }),
    action('third', 'testing', 'succeed', { output: '{{ steps.second.output }}' }),
  ],
  edges: inARow(['first', 'second', 'third']),
};

export const ONE_STEP = {
  slug: 'bench-execute',
  trigger: { id: 'trigger', type: 'manual', config: {} },
  nodes: [action('only', 'core', 'set', { values: { done: true } })],
  edges: inARow(['only']),
};

export const LISTED = Array.from({ length: 100 }, (_, index) => ({ ...ONE_STEP, slug: `bench-listed-${index}` }));
