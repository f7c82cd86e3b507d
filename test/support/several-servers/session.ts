/** An answer of the API. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** The document of the answer, for the test to examine. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** A browser: keeps its cookies and the token against forged requests. */
export class Session {
  readonly #cookies = new Map<string, string>();
  #csrf = "";
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  get headers(): Readonly<Record<string, string>> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { cookie, "x-payrun-csrf": this.#csrf };
  }

  /** @param url a server; by default the one of the session. */
  async send(
    method: string,
    path: string,
    {
      body,
      headers = {},
      url = this.#url,
    }: {
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly url?: string;
    } = {},
  ): Promise<Answered> {
    const isText = typeof body === "string";
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...this.headers,
        ...(body === undefined ? {} : { "content-type": isText ? "text/csv" : "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    const text = await response.text();
    const json = /json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : text;
    if (typeof json?.csrf_token === "string") this.#csrf = json.csrf_token;
    return { status: response.status, headers: response.headers, json };
  }

  get(path: string, url?: string): Promise<Answered> {
    return this.send("GET", path, url === undefined ? {} : { url });
  }

  post(path: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}) {
    return this.send("POST", path, { body, headers });
  }
}
