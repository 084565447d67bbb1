export class Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | undefined;

  constructor(status: number, headers: Record<string, string>, body: string | Buffer | undefined) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

export function jsonReply(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return new Reply(status, { 'content-type': 'application/json; charset=utf-8', ...headers }, JSON.stringify(body));
}
