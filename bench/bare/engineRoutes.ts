import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import express, { Router } from 'express';
import { CANCELLED_ACTIONS, CONCURRENCY, DELAY_MS, STEP_MS, STEPS } from '../engineRows.ts';
import type * as workflows from './workflows.ts';

const LONG_MS = 600_000;

export function engineRoutes({ workflow }: Client, taskQueue: string): Router {
  const options = () => ({ workflowId: randomUUID(), taskQueue, requestEagerStart: true });
  const router = Router();

  router.post('/forEachInline', express.json(), async ({ body }, response) => {
    const args: Parameters<typeof workflows.loopOfLocalActivities> = [body.items];
    response.json(await workflow.execute('loopOfLocalActivities', { ...options(), args }));
  });
  router.post('/forEachRemote', express.json(), async ({ body }, response) => {
    const args: Parameters<typeof workflows.lanesOfActivities> = [body.items, CONCURRENCY];
    response.json(await workflow.execute('lanesOfActivities', { ...options(), args }));
  });
  router.post(['/steps', '/workerSteps'], async (_, response) => {
    const args: Parameters<typeof workflows.activitiesInARow> = [STEPS, STEP_MS];
    response.json(await workflow.execute('activitiesInARow', { ...options(), args }));
  });
  router.post('/delay', async (_, response) => {
    const args: Parameters<typeof workflows.sleepBetween> = [DELAY_MS];
    response.json(await workflow.execute('sleepBetween', { ...options(), args }));
  });
  router.post('/input', async (_, response) => {
    const { workflowId } = await workflow.start<typeof workflows.activityAfterSignal>('activityAfterSignal', options());
    response.json({ workflowId });
  });
  router.post('/input/:id', async ({ params }, response) => {
    await workflow.getHandle(params.id).signal('submitted');
    response.json(true);
  });
  router.get('/input/:id', async ({ params }, response) => {
    response.json(await workflow.getHandle(params.id).result());
  });
  router.post('/cancel', async (_, response) => {
    const { workflowId } = await workflow.start<typeof workflows.longActivities>('longActivities', {
      ...options(),
      args: [CANCELLED_ACTIONS, LONG_MS],
    });
    response.json({ workflowId });
  });
  router.post('/cancel/:id', async ({ params }, response) => {
    const handle = workflow.getHandle(params.id);
    await handle.cancel();
    await handle.result().catch(() => undefined);
    response.json((await handle.describe()).status.name);
  });
  return router;
}
