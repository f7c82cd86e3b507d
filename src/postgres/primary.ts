import pg from "pg";
import { systemClock } from "#base/clock.ts";
import { type DatabaseHost, databaseHosts, seeksPrimary } from "#postgres/hosts.ts";

/** Milliseconds for connecting to one host and for its answer. A host that is off says nothing. */
export const HOST_ANSWER_MS = 3_000;
/** Milliseconds for which the other hosts may still answer after one has accepted writes. */
const OTHERS_MS = 1_500;

/** Condition in SQL: this server refuses writes. */
export const REFUSES_WRITES =
  "pg_is_in_recovery() or current_setting('transaction_read_only') = 'on'";

/** The answer of one host. */
interface HostState {
  readonly host: DatabaseHost;
  /** The timeline and cluster of a server that accepts writes. Null: a standby. */
  readonly primary: Primary | null;
}

interface Primary {
  readonly timeline: number;
  readonly cluster: string;
}

type Answer = HostState | { readonly host: DatabaseHost; readonly failure: string };

/** Thrown if no host accepts writes. It names the hosts, and never their passwords. */
class NoPrimary extends Error {
  readonly code = "ENOPRIMARY";
}

/** A connection that can be moved to another host. */
interface Movable {
  readonly hostName: string | null;
  /** Closes the connection at once. Its statement fails. */
  cut(reason: string): void;
}

/**
 * The hosts of one database address, and the one that accepts writes. All connections of this
 * process with this address share it, so that a promotion is recognised once.
 */
export class PrimaryFinder {
  readonly #hosts: readonly DatabaseHost[];
  readonly #members = new Set<Movable>();
  #current: DatabaseHost | null = null;
  /** The latest primary that this process has seen. */
  #latest: Primary | null = null;
  #finding: Promise<DatabaseHost> | null = null;

  constructor(hosts: readonly DatabaseHost[]) {
    this.#hosts = hosts;
  }

  /**
   * Adds a new connection.
   *
   * @returns false if another host has become the primary since its host was found.
   */
  enter(member: Movable): boolean {
    if (this.#current && this.#current.name !== member.hostName) return false;
    this.#members.add(member);
    return true;
  }

  leave(member: Movable): void {
    this.#members.delete(member);
  }

  /**
   * Returns the host for a new connection: the known one, or the one that accepts writes now.
   *
   * @throws NoPrimary
   */
  async find(): Promise<DatabaseHost> {
    if (this.#current) return this.#current;
    this.#finding ??= this.#ask().finally(() => {
      this.#finding = null;
    });
    return this.#finding;
  }

  /**
   * Forgets the host after a connection to it broke or was refused. The next connection asks every
   * host: an old primary that has returned also accepts writes.
   */
  forget(name: string | null): void {
    if (this.#current?.name === name) this.#current = null;
  }

  /**
   * Asks every host again, because a statement has been waiting. If another host is the primary by
   * now, its statement fails. Otherwise nothing changes: a slow server is not a dead one.
   */
  async review(): Promise<void> {
    const before = this.#current;
    if (this.#finding) return;
    this.#current = null;
    const found = await this.find().catch(() => null);
    if (!found) this.#current = before;
  }

  /** A pool with connections to two primaries would check one and write to the other. */
  #cutOthers(primary: string): void {
    for (const member of this.#members) {
      if (member.hostName === null || member.hostName === primary) continue;
      member.cut(`the database's primary is now ${primary}; the connection was closed`);
    }
  }

  async #ask(): Promise<DatabaseHost> {
    const answers: Answer[] = [];
    const asking = this.#hosts.map(async (host) => {
      const answer = await askHost(host);
      answers.push(answer);
      if (!("primary" in answer) || answer.primary === null) throw new Error("not a primary");
    });
    // All hosts are asked at the same time, so a dead one delays nothing.
    await Promise.any(asking).then(
      () => Promise.race([Promise.allSettled(asking), systemClock.sleep(OTHERS_MS)]),
      () => {},
    );
    const { host, ...primary } = choosePrimary(answers, this.#latest);
    this.#latest = primary;
    this.#current = host;
    this.#cutOthers(host.name);
    return host;
  }
}

/**
 * Returns the host that accepts writes. If two do, the one on the later timeline was promoted, and
 * the other one is an old primary that still runs.
 *
 * @param seen the latest primary so far. An older timeline of its cluster is never used again.
 * @throws NoPrimary if there is none, or if it is unclear which of two it is.
 */
export function choosePrimary(
  answers: readonly Answer[],
  seen: Primary | null,
): Primary & { readonly host: DatabaseHost } {
  const isOld = ({ cluster, timeline }: Primary) =>
    seen !== null && cluster === seen.cluster && timeline < seen.timeline;
  const primaries = answers
    .flatMap((answer) =>
      "primary" in answer && answer.primary && !isOld(answer.primary)
        ? [{ host: answer.host, ...answer.primary }]
        : [],
    )
    .toSorted((a, b) => b.timeline - a.timeline);
  const [latest, other] = primaries;
  if (!latest) {
    const states = answers.map((answer) => `${answer.host.name} (${stateOf(answer)})`);
    throw new NoPrimary(`no host of the database accepts writes: ${states.join(", ")}`);
  }
  if (other && (other.timeline === latest.timeline || other.cluster !== latest.cluster)) {
    throw new NoPrimary(
      `two hosts of the database accept writes, and neither was promoted after the other: ${latest.host.name}, ${other.host.name}. Stop the wrong one`,
    );
  }
  return latest;
}

function stateOf(answer: Answer): string {
  if ("failure" in answer) return answer.failure;
  return answer.primary ? "an old primary, which another host has replaced" : "read-only";
}

async function askHost(host: DatabaseHost): Promise<Answer> {
  const client = new pg.Client({
    connectionString: host.url,
    connectionTimeoutMillis: HOST_ANSWER_MS,
    query_timeout: HOST_ANSWER_MS,
    application_name: "payrun finding the primary",
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null; cluster: string }>(
      `select case when not (${REFUSES_WRITES}) then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
         (select system_identifier::text from pg_control_system()) as cluster`,
    );
    const { timeline = null, cluster = "" } = rows[0] ?? {};
    if (timeline === null) return { host, primary: null };
    return { host, primary: { timeline: Number.parseInt(timeline, 16), cluster } };
  } catch (error) {
    const failure = error instanceof Error ? error.message || codeOf(error) : String(error);
    return { host, failure };
  } finally {
    client.connection.stream.destroy();
  }
}

const codeOf = (error: Error): string => ("code" in error ? String(error.code) : error.name);

const finders = new Map<string, PrimaryFinder>();

/** Returns what finds the primary of this address. Null: the address has one fixed server. */
export function finderOf(address: string): PrimaryFinder | null {
  if (!seeksPrimary(address)) return null;
  const known = finders.get(address);
  if (known) return known;
  const finder = new PrimaryFinder(databaseHosts(address));
  finders.set(address, finder);
  return finder;
}
