import type { Arguments } from 'perdure-client';
import { client } from '../../app/session/session.ts';

export type StopKind = 'cancel' | 'terminate';

export async function stopExecution(executionId: string, kind: StopKind, reason: string): Promise<void> {
  const given = { path: { executionId }, body: reason.trim() === '' ? {} : { reason: reason.trim() } };
  await (kind === 'cancel' ? client.cancelExecution(given) : client.terminateExecution(given));
}

export const retryExecution = (executionId: string, body: Arguments<'retryExecution'>['body']) =>
  client.retryExecution({ path: { executionId }, body });
