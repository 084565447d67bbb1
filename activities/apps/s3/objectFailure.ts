import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import { type ActionResult, failed } from '../executor.ts';
import { RefusedAddress } from '../guard/addressGuard.ts';
import { TooMuchSent } from '../guard/guardedSocket.ts';
import type { S3Store } from './openClient.ts';

interface S3Error extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

export class TooLargeObject extends Error {}

const RETRYABLE = new Set(['SlowDown', 'RequestTimeout', 'ServiceUnavailable', 'InternalError', 'OperationAborted']);
const ERROR_NAME = /^[A-Z][A-Za-z0-9]{1,60}$/;
const TLS = /CERT|TLS|SSL/;

/** S3's `NoSuchKey` becomes S3_NO_SUCH_KEY. */
export function objectFailure(store: S3Store, error: unknown, maxBytes: number): ActionResult {
  const where = store.endpoint === undefined ? `S3 in ${store.region}` : new URL(store.endpoint).host;
  if (error instanceof RefusedAddress) {
    return failed('S3_REFUSED_ADDRESS', `The connection to ${where} was refused: ${error.message}.`);
  }
  if (error instanceof TooLargeObject || error instanceof TooMuchSent) {
    return failed('S3_TOO_LARGE', `The object is larger than ${maxBytes} bytes.`);
  }
  const { name, message, code = '', $metadata } = error as S3Error;
  const status = $metadata?.httpStatusCode;
  if (status !== undefined) {
    const isNamed = ERROR_NAME.test(name) && !/^(Unknown|Error|SyntaxError|TypeError)/.test(name);
    const said = String(maskSecrets(message, [store.secretAccessKey])).slice(0, 500);
    const retryable = RETRYABLE.has(name) || status >= 500 || status === 429;
    const failureCode = isNamed ? `S3_${upperSnake(name)}` : 'S3_REFUSED';
    return failed(failureCode, `${where} answered ${status}: ${said}`, { retryable, details: { status, error: name } });
  }
  if (TLS.test(code)) return failed('S3_TLS_FAILED', `No encrypted connection to ${where}: ${code}.`);
  const why = code === '' ? name : code;
  return failed('S3_CONNECTION_FAILED', `The connection to ${where} was lost (${why}).`, { retryable: true });
}

function upperSnake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}
