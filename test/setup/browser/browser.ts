/** Simulates a browser's redirects and cookies, which it keeps by origin. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  async visit(
    url: string | URL,
    { method = 'GET', json }: { method?: string; json?: unknown } = {},
  ): Promise<Response> {
    const { origin } = new URL(url);
    const own = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, own);
    const cookie = [...own].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      ...(cookie === '' ? {} : { cookie }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const response = await fetch(url, { redirect: 'manual', method, headers, ...body });
    for (const text of response.headers.getSetCookie()) {
      const [pair = ''] = text.split(';');
      const at = pair.indexOf('=');
      own.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }

  /** Follows redirects until one leads to `stop`. Returns that URL. */
  async follow(start: string | URL, stop: (url: URL) => boolean): Promise<URL> {
    let url = new URL(start);
    for (let hops = 0; hops < 20; hops += 1) {
      if (stop(url)) return url;
      const response = await this.visit(url);
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${url.pathname} answers ${response.status}: ${await response.text()}`);
      url = new URL(location, url);
    }
    throw new Error(`redirected without an end, at last to ${url.pathname}`);
  }
}
