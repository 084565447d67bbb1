import { type OutgoingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { Problem } from '../../domain/problem.ts';
import { problemReply } from './problem.ts';

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

/** An error of Node's HTTP parser. Node itself neither answers nor closes the connection. */
interface ParserError extends Error {
  code?: string;
  reason?: string;
}

/**
 * Answers malformed input with a problem. A connection without a request, which browsers open in advance, is closed
 * silently after `unusedMs`, because its first request would take any text for its answer.
 */
export function answerClientErrors(log: Logger, unusedMs: number): (error: ParserError, socket: Duplex) => void {
  return (error, socket) => {
    if (error.code === LATE && isUnused(socket)) {
      const end = setTimeout(() => isUnused(socket) && socket.destroy(), unusedMs);
      socket.once('close', () => clearTimeout(end));
      return;
    }
    // Disconnected, or already answering: a second answer would garble the first.
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegunAnswer(socket)) {
      socket.destroy();
      return;
    }
    const requestId = v7();
    const { status, headers, body } = problemReply(problemOf(error), requestId);
    log.info({ requestId, status, code: error.code }, 'no request');
    const all = {
      ...headers,
      'x-request-id': requestId,
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(body ?? ''),
      connection: 'close',
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };
}

function isUnused(socket: Duplex): boolean {
  return (socket as Socket).bytesRead === 0;
}

/** Node keeps the unfinished answer on its socket and checks it there itself. */
function hasBegunAnswer(socket: Duplex): boolean {
  const { _httpMessage: answer } = socket as Duplex & { _httpMessage?: OutgoingMessage | null };
  return answer?.headersSent === true;
}

function problemOf({ code, reason }: ParserError): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('HEADERS_TOO_LARGE', 'The headers together are larger than 16 KiB');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('PAYLOAD_TOO_LARGE', 'The chunk extensions of the body are larger than 16 KiB together');
    case LATE:
      return new Problem('REQUEST_TIMEOUT', 'The request did not arrive completely in time');
    default:
      return new Problem(
        'VALIDATION_FAILED',
        `The request is not valid HTTP${reason === undefined ? '' : `: ${reason}`}`,
      );
  }
}
