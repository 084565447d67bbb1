import { DefaultPayloadConverter, type Payload } from '@temporalio/common';

/** A payload that is no JSON. Customers' workers may return any. */
export class UnreadablePayload {
  readonly encoding: string;

  constructor(encoding: string) {
    this.encoding = encoding;
  }
}

/** Never throws: an error here would fail the workflow's task, which Temporal would repeat for ever. */
class TolerantConverter extends DefaultPayloadConverter {
  override fromPayload<T>(payload: Payload): T {
    try {
      const value = super.fromPayload<T>(payload);
      return value instanceof Uint8Array ? (unreadable(payload) as T) : value;
    } catch {
      return unreadable(payload) as T;
    }
  }
}

function unreadable({ metadata }: Payload): UnreadablePayload {
  const encoding = metadata?.encoding ?? new Uint8Array();
  return new UnreadablePayload(String.fromCharCode(...encoding.slice(0, 50)));
}

export const payloadConverter = new TolerantConverter();
