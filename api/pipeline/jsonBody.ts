import express, { type Request, type Response } from 'express';
import { infiniteNumberAt } from '../../domain/infiniteNumber.ts';
import { placed } from '../../domain/place.ts';
import { Problem } from '../../domain/problem.ts';
import { storageProblem } from '../../domain/storableJson.ts';
import { mediaTypeOf, textOf } from './bodyText.ts';
import { keepExactIntegers } from './exactIntegers.ts';
import { tooDeepAt } from './jsonDepth.ts';
import { jsonErrorAt } from './jsonErrorAt.ts';

export interface ReadBody {
  body: unknown;
  rawBody: Buffer;
}

export type BodyReader = (request: Request, response: Response) => Promise<ReadBody>;

export const NO_BODY: ReadBody = { body: undefined, rawBody: Buffer.alloc(0) };

export interface BodyLimits {
  bytes: number;
  timeoutMs: number;
}

export interface JsonRules {
  depth: number;
  /** Keep integers that a double cannot represent as text (exactIntegers.ts). */
  keepsIntegers?: boolean;
}

/** Keeps the raw one, too. Throws 400, 408, 413 and 415 Problems. */
export function bodyReader(limits: BodyLimits & JsonRules): BodyReader {
  const readRaw = rawBodyReader(limits);
  return async (request, response) => {
    if (!hasBody(request)) return NO_BODY;
    const contentType = request.headers['content-type'];
    if (mediaTypeOf(contentType) !== 'application/json') {
      throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json, in UTF-8');
    }
    const { rawBody } = await readRaw(request, response);
    return rawBody.length === 0 ? NO_BODY : { body: parseJson(textOf(rawBody, contentType, 'utf-8'), limits), rawBody };
  };
}

/** Reads a body of any media type unparsed, but decompressed. */
export function rawBodyReader({ bytes: limit, timeoutMs }: BodyLimits): BodyReader {
  const read = express.raw({ limit, type: () => true });
  return async (request, response) => {
    if (!hasBody(request)) return NO_BODY;
    let late: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        if (request.complete || response.headersSent) return;
        // The rest is not read: the connection ends with the answer.
        response.setHeader('connection', 'close');
        reject(new Problem('REQUEST_TIMEOUT', `The body did not arrive completely within ${timeoutMs} ms`));
      };
      // Timers run before sockets, so a process that was blocked reads buffered data first.
      late = setTimeout(() => setImmediate(giveUp), timeoutMs);
      read(request, response, (error?: unknown) =>
        error === undefined ? resolve() : reject(bodyProblem(error, limit)),
      );
    }).finally(() => clearTimeout(late));
    // For a disconnected caller body-parser silently reads nothing; the request must not run without its body.
    if (!Buffer.isBuffer(request.body)) throw endedEarly();
    return { body: undefined, rawBody: request.body };
  };
}

function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Throws VALIDATION_FAILED with the place. Nesting beyond `depth` would overflow the stack of recursive code. */
export function parseJson(text: string, { depth, keepsIntegers = false }: JsonRules): unknown {
  const deep = tooDeepAt(text, depth);
  if (deep) {
    const message = `more than ${depth} nested levels at line ${deep.line}, column ${deep.column}`;
    throw new Problem('VALIDATION_FAILED', `The body is nested too deeply: ${message}`, {
      errors: [{ path: '', message }],
    });
  }
  const body = parsed(text, keepsIntegers ? keepExactIntegers(text) : text);
  // Surrogate pairs may be escaped, so check the value instead of the text.
  const unstorable = text.includes('\\u') ? storageProblem(JSON.stringify(body)) : undefined;
  if (unstorable !== undefined) throw notAccepted('', unstorable);
  const infinite = infiniteNumberAt(text, body);
  if (infinite !== undefined) throw notAccepted(infinite, 'is too large for a number: expected at most 1.7e308');
  return body;
}

function notAccepted(path: string, message: string): Problem {
  const errors = [{ path, message }];
  return new Problem('VALIDATION_FAILED', `The body is not accepted: ${placed({ path, message })}`, { errors });
}

/** `sent`: the original text, for places of mistakes. */
function parsed(sent: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { line, column, found } = jsonErrorAt(sent);
    const message = `${found} at line ${line}, column ${column}`;
    throw new Problem('VALIDATION_FAILED', `The body is not JSON: ${message}`, {
      errors: [{ path: '', message }],
      cause: error,
    });
  }
}

function bodyProblem(error: unknown, limit: number): unknown {
  const type = (error as { type?: unknown }).type;
  if (type === 'entity.too.large') {
    return new Problem('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes`);
  }
  if (type === 'encoding.unsupported') {
    return new Problem('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not one of gzip, deflate, br, identity');
  }
  if (type === 'request.aborted' || type === 'request.size.invalid' || (error as { status?: unknown }).status === 400) {
    return endedEarly(error);
  }
  return error;
}

function endedEarly(cause?: unknown): Problem {
  return new Problem('VALIDATION_FAILED', 'The body ended early or its encoding is broken', { cause });
}
