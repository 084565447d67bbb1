/** EXPRESSION_LIMIT: the evaluation exceeds its budget (meter.ts). */
export type ExpressionCode = 'EXPRESSION_FAILED' | 'EXPRESSION_LIMIT';

export interface ExpressionFault {
  code?: ExpressionCode;
  reason: string;
  /** The trimmed expression between `{{` and `}}`. */
  text: string;
  /** 0-based offset in `text`. */
  position: number;
  expected?: string | undefined;
}

export class ExpressionError extends Error {
  readonly code: ExpressionCode;
  readonly reason: string;
  readonly text: string;
  readonly position: number;
  readonly expected: string | undefined;
  /** Place inside the value, e.g. `headers.auth[0]`; empty if the value itself is the expression. */
  readonly path: string;

  constructor(fault: ExpressionFault, path = '') {
    super(sentence(fault));
    this.name = 'ExpressionError';
    this.code = fault.code ?? 'EXPRESSION_FAILED';
    this.reason = fault.reason;
    this.text = fault.text;
    this.position = fault.position;
    this.expected = fault.expected;
    this.path = path;
  }

  at(path: string): ExpressionError {
    return new ExpressionError(this, path);
  }
}

const SHOWN = 120;

function sentence({ reason, text, position, expected }: ExpressionFault): string {
  const start = text.length <= SHOWN ? 0 : Math.max(0, Math.min(position - SHOWN / 2, text.length - SHOWN));
  const end = Math.min(text.length, start + SHOWN);
  const shown = `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
  const wish = expected === undefined ? '' : `, expected ${expected}`;
  return `${reason}${wish} (at position ${position} of {{ ${shown} }})`;
}
