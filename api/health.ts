import { Router } from 'express';
import { Prisma } from '../prisma/generated/client.ts';
import { otherMethod } from './otherMethod.ts';
import type { Services } from './services.ts';

/** Liveness, and readiness of the database and the engine. Public, outside /api. */
export function healthRouter(services: Services): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const [database, engine] = await Promise.all([databaseAnswers(services), services.engine.ready()]);
    const ready = database && engine.engine && engine.worker;
    response.status(ready ? 200 : 503).json({ ready, database, engine: engine.engine, worker: engine.worker });
  });
  router.all(['/healthz', '/readyz'], otherMethod(['GET']));
  return router;
}

async function databaseAnswers({ database, log }: Services): Promise<boolean> {
  try {
    await database.$queryRaw(Prisma.sql`SELECT 1`);
    return true;
  } catch (error) {
    log.warn({ err: error }, 'the database does not answer');
    return false;
  }
}
