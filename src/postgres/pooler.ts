import pg from "pg";

/** Milliseconds for connecting to a pooler and for its answers. */
const ANSWER_MS = 5_000;
/** Number of transactions that must all have had the same session. */
const TRANSACTIONS = 4;
/** SQLSTATE of a pooler that refuses a part of the protocol. */
const PROTOCOL = "08P01";

/** Thrown for a pooler that gives the transactions of one connection to different sessions. */
class SharedSessions extends Error {
  readonly code = "EPOOLER";
}

/** Returns whether a pooler has refused the session settings in the startup message. */
export const refusesOptions = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === PROTOCOL &&
  error.message.includes("options");

/** Addresses of poolers that keep one session for each connection, which the settings fit. */
const inSessionMode = new Set<string>();

/** Returns whether the settings of this address's sessions are set after connecting. */
export const isPooler = (address: string): boolean => inSessionMode.has(address);

/**
 * Checks that a pooler keeps a session for each connection. While one connection is in a
 * transaction, a pooler that shares sessions must give another one to the second connection.
 *
 * @param url the address with one host.
 * @throws SharedSessions
 */
export async function acceptPooler(address: string, url: string): Promise<void> {
  const [first, second] = [clientOf(url), clientOf(url)];
  const close = () => {
    for (const { connection } of [first, second]) connection.stream.destroy();
  };
  // Without session settings, the server may still refuse the connection for another reason.
  await Promise.all([first.connect(), second.connect()]).catch((error: unknown) => {
    close();
    throw error;
  });
  try {
    const session = await sessionOf(first);
    await second.query("begin");
    await sessionOf(second);
    for (let turn = 0; turn < TRANSACTIONS; turn += 1) {
      if ((await sessionOf(first)) !== session) throw new Error("another session answered");
    }
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    throw new SharedSessions(`the pooler does not keep one session for each connection: ${found}`);
  } finally {
    close();
  }
  inSessionMode.add(address);
}

function clientOf(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    application_name: "payrun checking the pooler",
  });
  client.on("error", () => {});
  return client;
}

async function sessionOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}

const SETTING = /-c\s+(\w+)=((?:\\.|[^\s\\])*)/g;

/** Returns a statement that sets the same as PostgreSQL's `options` in a startup message. */
export function settingStatement(options: string): pg.QueryConfig {
  const settings = [...options.matchAll(SETTING)];
  return {
    text: "select set_config(name, value, false) from unnest($1::text[], $2::text[]) as s (name, value)",
    values: [
      settings.map(([, name]) => name),
      settings.map(([, , value = ""]) => value.replaceAll(/\\(.)/g, "$1")),
    ],
  };
}
