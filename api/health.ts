import { Router } from 'express';
import { Prisma } from '../prisma/generated/client.ts';
import { methodNotAllowed } from './methodNotAllowed.ts';
import type { Services } from './services.ts';

const KEPT_MS = 1_000;

/** Public, outside /api. */
export function healthRouter(services: Services): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  // Public and without limits, so one check per second serves all.
  const look = () => Promise.all([databaseAnswers(services), services.engine.ready()]);
  let last: { at: number; found: ReturnType<typeof look> } | undefined;
  router.get('/readyz', async (_request, response) => {
    if (last === undefined || performance.now() - last.at > KEPT_MS) last = { at: performance.now(), found: look() };
    const [database, engine] = await last.found;
    const ready = database && engine.engine && engine.worker;
    response.status(ready ? 200 : 503).json({ ready, database, engine: engine.engine, worker: engine.worker });
  });
  router.all(['/healthz', '/readyz'], methodNotAllowed(['GET']));
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
