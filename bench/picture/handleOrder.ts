const edge = (source: string, target: string, sourceHandle?: string) => ({
  id: `${source}-${target}`,
  source,
  target,
  ...(sourceHandle === undefined ? {} : { sourceHandle }),
});

const action = (id: string, name: string, what: string, inputs: object, more: object = {}) => {
  const [appId, actionId] = what.split('.');
  return { id, name, type: 'action', appId, actionId, inputs, ...more };
};

/** An order in progress: one step done, one running, one before its next attempt, one waiting for a person. */
export const HANDLE_ORDER = {
  slug: 'handle-order',
  name: 'Handle order',
  nodes: [
    action('fetchOrder', 'Fetch order', 'testing.succeed', { output: { total: 1_250 } }),
    {
      id: 'isLarge',
      name: 'Large?',
      type: 'condition',
      inputs: { condition: '{{ steps.fetchOrder.output.total > 1000 }}' },
    },
    {
      id: 'approve',
      name: 'Approve large order',
      type: 'input',
      inputs: {
        fields: [{ key: 'approved', label: 'Approved', type: 'boolean', required: true }],
        expiresInMs: 86_400_000,
      },
    },
    action(
      'chargeCard',
      'Charge card',
      'testing.fail',
      { message: 'The bank did not answer' },
      { retry: { maximumAttempts: 5, initialIntervalMs: 1_800_000 } },
    ),
    action('reserveStock', 'Reserve stock', 'testing.wait', { ms: 600_000 }),
    action('ship', 'Ship', 'core.set', { values: { shipped: true } }),
  ],
  edges: [
    edge('trigger', 'fetchOrder'),
    edge('fetchOrder', 'isLarge'),
    edge('isLarge', 'approve', 'true'),
    edge('fetchOrder', 'chargeCard'),
    edge('fetchOrder', 'reserveStock'),
    edge('approve', 'ship'),
    edge('chargeCard', 'ship'),
    edge('reserveStock', 'ship'),
  ],
};
