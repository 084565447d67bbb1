import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Order, OrderTotal } from '../order.ts';
import type * as activities from './activities.ts';

// What a person would write against the SDK in place of the product's workflows. No database is behind it.

const { sumUp } = proxyLocalActivities<typeof activities>({ startToCloseTimeout: '1 minute' });

const { succeed } = proxyActivities<typeof activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 10 },
});

export async function oneLocalActivity(order: Order): Promise<OrderTotal> {
  return sumUp(order);
}

export async function threeActivities(order: Order): Promise<Order> {
  const first = await succeed(order);
  const second = await succeed(first);
  return succeed(second);
}

export async function nothing(): Promise<void> {}
