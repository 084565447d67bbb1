import { failed } from '../executor.ts';
import { buildAddressGuard, type GuardSettings } from '../guard/addressGuard.ts';
import { byWorkspace } from '../guard/privateHosts.ts';
import { UnusableCredentials } from '../guard/serverPlace.ts';
import { MAX_OPTIONS, notLoaded, type OptionLoader } from '../optionLoader.ts';
import { objectFailure } from './objectFailure.ts';
import { type S3Store, s3Store, withS3 } from './openClient.ts';

const MAX_BYTES = 1_048_576;

/** The buckets of the account. */
export function buildBuckets(settings: GuardSettings): OptionLoader {
  const guardOf = byWorkspace(settings, 's3', buildAddressGuard);
  return async ({ connection, workspaceId, search, cursor, signal }) => {
    let store: S3Store;
    try {
      store = s3Store(connection?.credentials ?? {});
    } catch (error) {
      if (error instanceof UnusableCredentials)
        return notLoaded(failed('INVALID_INPUT', `connection: ${error.message}`));
      throw error;
    }
    try {
      const { ListBucketsCommand } = await import('@aws-sdk/client-s3');
      const page = { MaxBuckets: MAX_OPTIONS, ...(cursor === undefined ? {} : { ContinuationToken: cursor }) };
      const found = await withS3(store, { guard: guardOf(workspaceId), maxBytes: MAX_BYTES }, (client) =>
        client.send(new ListBucketsCommand(page), { abortSignal: signal }),
      );
      const names = (found.Buckets ?? []).map(({ Name = '' }) => Name);
      const options = names.filter((name) => name.includes(search)).map((name) => ({ value: name, label: name }));
      return { ok: true, options, ...(found.ContinuationToken ? { cursor: found.ContinuationToken } : {}) };
    } catch (error) {
      signal.throwIfAborted();
      return notLoaded(objectFailure(store, error, MAX_BYTES));
    }
  };
}
