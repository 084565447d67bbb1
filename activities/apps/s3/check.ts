import { durationWritten } from '../../../domain/durationWords.ts';
import type { ConnectionCheck } from '../connectionCheck.ts';
import { buildAddressGuard, type GuardSettings } from '../guard/addressGuard.ts';
import { byWorkspace } from '../guard/privateHosts.ts';
import { UnusableCredentials } from '../guard/serverPlace.ts';
import { objectFailure } from './objectFailure.ts';
import { type S3Store, s3Store, withS3 } from './openClient.ts';

const MAX_BYTES = 1_048_576;

export function buildS3Check(settings: GuardSettings & { timeoutMs: number }): ConnectionCheck {
  const guardOf = byWorkspace(settings, 's3', buildAddressGuard);
  return async (_connectionType, credentials, workspaceId) => {
    let store: S3Store;
    try {
      store = s3Store(credentials);
    } catch (error) {
      if (error instanceof UnusableCredentials) return error.message;
      throw error;
    }
    const abortSignal = AbortSignal.timeout(settings.timeoutMs);
    try {
      const { ListBucketsCommand } = await import('@aws-sdk/client-s3');
      await withS3(store, { guard: guardOf(workspaceId), maxBytes: MAX_BYTES }, (client) =>
        client.send(new ListBucketsCommand({ MaxBuckets: 1 }), { abortSignal }),
      );
      return undefined;
    } catch (error) {
      if (abortSignal.aborted) return `The store did not answer within ${durationWritten(settings.timeoutMs)}`;
      // Keys for one bucket may not list buckets, but they have been accepted.
      if ((error as Error).name === 'AccessDenied') return undefined;
      const result = objectFailure(store, error, MAX_BYTES);
      return result.ok ? undefined : result.failure.message;
    }
  };
}
