import type { S3Client } from '@aws-sdk/client-s3';
import type { AddressGuard } from '../guard/addressGuard.ts';
import { guardedHttpAgents } from '../guard/guardedHttpAgents.ts';
import { UnusableCredentials } from '../guard/serverPlace.ts';

export interface S3Store {
  /** Absent for AWS. */
  endpoint: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Headers, and the XML around a page of a list. */
const ENVELOPE_BYTES = 2_097_152;
const REGION = /^[a-z0-9][a-z0-9-]{0,62}$/i;
const KEY_ID = /^[\x21-\x7e]{1,200}$/;

/** Reads the fields of a connection (manifest.ts), which are texts. Throws UnusableCredentials. */
export function s3Store(credentials: Record<string, string>): S3Store {
  const { endpoint = '', region = 'us-east-1', accessKeyId = '', secretAccessKey = '' } = credentials;
  if (endpoint !== '' && !isOrigin(endpoint)) {
    throw new UnusableCredentials(
      'endpoint: expected an http or https address without a path, such as https://s3.example.com',
    );
  }
  if (!REGION.test(region)) throw new UnusableCredentials('region: expected a name such as eu-central-1');
  for (const [key, value] of Object.entries({ accessKeyId, secretAccessKey })) {
    if (!KEY_ID.test(value)) throw new UnusableCredentials(`${key}: expected letters, digits and signs without spaces`);
  }
  return { endpoint: endpoint === '' ? undefined : endpoint, region, accessKeyId, secretAccessKey };
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(text);
  return (
    /^https?:$/.test(protocol) && pathname === '/' && [username, password, search, hash].every((each) => each === '')
  );
}

/** A client for one call: nothing of it is shared between workspaces. */
export async function withS3<T>(
  { endpoint, region, accessKeyId, secretAccessKey }: S3Store,
  { guard, maxBytes }: { guard: AddressGuard; maxBytes: number },
  work: (client: S3Client) => Promise<T>,
): Promise<T> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const { tooMuchSent, ...agents } = guardedHttpAgents(guard, maxBytes + ENVELOPE_BYTES);
  const client = new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // The worker's own environment and AWS profile must not be used.
    ignoreConfiguredEndpointUrls: true,
    credentials: { accessKeyId, secretAccessKey },
    // The node's retry policy decides.
    maxAttempts: 1,
    // Other stores do not know the newer checksums.
    ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
    requestHandler: agents,
  });
  try {
    return await work(client);
  } catch (error) {
    throw tooMuchSent() ?? error;
  } finally {
    client.destroy();
  }
}
