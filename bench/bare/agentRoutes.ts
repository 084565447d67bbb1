import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import express, { Router } from 'express';
import type * as workflows from './workflows.ts';

export function agentRoutes({ workflow }: Client, taskQueue: string): Router {
  const router = Router();
  router.post('/toolTurn', express.json(), async ({ body }, response) => {
    const args: Parameters<typeof workflows.turnWithTools> = [body];
    const options = { workflowId: randomUUID(), taskQueue, requestEagerStart: true };
    response.json(await workflow.execute('turnWithTools', { ...options, args }));
  });
  return router;
}
