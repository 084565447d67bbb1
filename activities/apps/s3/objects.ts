import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import type { Json } from '../../../domain/json.ts';
import { anyJson, withInputs } from '../checkedInputs.ts';
import { type ActionResult, type Executor, failed, succeeded } from '../executor.ts';
import { buildAddressGuard, type GuardSettings } from '../guard/addressGuard.ts';
import { byWorkspace } from '../guard/privateHosts.ts';
import { UnusableCredentials } from '../guard/serverPlace.ts';
import { readBytes, TooLarge } from '../http/responseBody.ts';
import { objectFailure, TooLargeObject } from './objectFailure.ts';
import { type S3Store, s3Store, withS3 } from './openClient.ts';

export interface S3Settings extends GuardSettings {
  /** Maximum bytes of an object that is read or written. */
  maxOutputBytes: number;
}

const MAX_LISTED = 10_000;
const PAGE = 1_000;

/** Not an ARN, which would name another host. */
const BUCKET = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/, 'expected the name of a bucket');
const KEY = z.string().min(1).max(1_024);
const CONTENT_TYPE = z.string().regex(/^[\x20-\x7e]{1,200}$/, 'expected a media type such as text/csv');

interface Asked {
  client: S3Client;
  abortSignal: AbortSignal;
}

export function buildS3(settings: S3Settings): Record<string, Executor> {
  const guardOf = byWorkspace(settings, 's3', buildAddressGuard);
  const { maxOutputBytes: maxBytes } = settings;

  function action<Shape extends z.ZodRawShape>(
    shape: Shape,
    run: (inputs: z.output<z.ZodObject<Shape>>, asked: Asked) => Promise<ActionResult>,
  ): Executor {
    return withInputs(shape, async (inputs, { connection, origin, signal }) => {
      signal.throwIfAborted();
      let store: S3Store;
      try {
        store = s3Store(connection?.credentials ?? {});
      } catch (error) {
        if (error instanceof UnusableCredentials) return failed('INVALID_INPUT', `connection: ${error.message}`);
        throw error;
      }
      try {
        const guard = guardOf(origin?.workspaceId);
        return await withS3(store, { guard, maxBytes }, (client) => run(inputs, { client, abortSignal: signal }));
      } catch (error) {
        signal.throwIfAborted();
        return objectFailure(store, error, maxBytes);
      }
    });
  }

  return {
    get: action(
      { bucket: BUCKET, key: KEY, format: z.enum(['auto', 'text', 'json']).default('auto') },
      async (inputs, { client, abortSignal }) => {
        const { GetObjectCommand } = await import('@aws-sdk/client-s3');
        const command = new GetObjectCommand({ Bucket: inputs.bucket, Key: inputs.key });
        const found = await client.send(command, { abortSignal });
        const bytes = await bytesOf(found.Body as Readable, found.ContentLength, maxBytes);
        const contentType = found.ContentType ?? '';
        const isJson = inputs.format === 'json' || (inputs.format === 'auto' && /[/+]json\b/.test(contentType));
        const body = textOrJson(bytes, isJson);
        if ('ok' in body) return body;
        const lastModified = found.LastModified?.toISOString() ?? '';
        const about = { contentType, size: bytes.length, etag: found.ETag ?? '', lastModified };
        return succeeded({ body: body.value, ...about });
      },
    ),
    put: action(
      { bucket: BUCKET, key: KEY, body: anyJson, contentType: CONTENT_TYPE.optional() },
      async ({ bucket, key, body, contentType }, { client, abortSignal }) => {
        const isText = typeof body === 'string';
        const bytes = Buffer.from(isText ? body : JSON.stringify(body));
        if (bytes.length > maxBytes) throw new TooLargeObject();
        const { PutObjectCommand } = await import('@aws-sdk/client-s3');
        const ContentType = contentType ?? (isText ? 'text/plain; charset=utf-8' : 'application/json');
        const command = new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, ContentType });
        const { ETag = '' } = await client.send(command, { abortSignal });
        return succeeded({ key, size: bytes.length, etag: ETag });
      },
    ),
    list: action(
      {
        bucket: BUCKET,
        prefix: z.string().max(1_024).default(''),
        delimiter: z.string().max(10).optional(),
        after: z.string().max(1_024).optional(),
        limit: z.int().min(1).max(MAX_LISTED).default(1_000),
      },
      async (inputs, asked) => succeeded(await listed(inputs, asked)),
    ),
    delete: action({ bucket: BUCKET, key: KEY }, async ({ bucket, key }, { client, abortSignal }) => {
      const { DeleteObjectCommand } = await import('@aws-sdk/client-s3');
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }), { abortSignal });
      return succeeded({ key });
    }),
  };
}

async function bytesOf(body: Readable, announced: number | undefined, maxBytes: number): Promise<Buffer> {
  if (announced !== undefined && announced > maxBytes) {
    body.on('error', () => undefined).destroy();
    throw new TooLargeObject();
  }
  try {
    return await readBytes(body, '', maxBytes);
  } catch (error) {
    throw error instanceof TooLarge ? new TooLargeObject() : error;
  }
}

function textOrJson(bytes: Buffer, isJson: boolean): { value: Json } | ActionResult {
  if (!isUtf8(bytes)) return failed('S3_NOT_TEXT', 'The object is neither text in UTF-8 nor JSON.');
  const text = bytes.toString('utf8');
  if (!isJson) return { value: text };
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    // The parser's own message quotes the object.
    return failed('S3_NOT_JSON', 'The object is not valid JSON; the format "text" gives it as it is.');
  }
}

interface Listing {
  bucket: string;
  prefix: string;
  delimiter?: string | undefined;
  after?: string | undefined;
  limit: number;
}

async function listed(
  { bucket, prefix, delimiter, after, limit }: Listing,
  { client, abortSignal }: Asked,
): Promise<Json> {
  const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
  const objects: Json[] = [];
  const prefixes: string[] = [];
  let token: string | undefined;
  do {
    const left = limit - objects.length - prefixes.length;
    const page = await client.send(
      new ListObjectsV2Command({
        ...{ Bucket: bucket, Prefix: prefix, MaxKeys: Math.min(left, PAGE) },
        ...(delimiter ? { Delimiter: delimiter } : {}),
        ...(after ? { StartAfter: after } : {}),
        ...(token === undefined ? {} : { ContinuationToken: token }),
      }),
      { abortSignal },
    );
    for (const { Key = '', Size = 0, ETag = '', LastModified } of page.Contents ?? []) {
      objects.push({ key: Key, size: Size, etag: ETag, lastModified: LastModified?.toISOString() ?? '' });
    }
    prefixes.push(...(page.CommonPrefixes ?? []).map(({ Prefix = '' }) => Prefix));
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token !== undefined && objects.length + prefixes.length < limit);
  return { objects, prefixes, truncated: token !== undefined };
}
