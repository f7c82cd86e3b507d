import type { Reply } from "#gateway/wire/transport.ts";
import { EPOCH_MS } from "#proof/simulation/world/process.ts";
import type { World } from "#proof/simulation/world/world.ts";
import {
  ACCEPTED,
  DUPLICATE,
  type FinalWord,
  type GatewayBehaviour,
  NOT_FOUND,
  recordsOf,
  STALE,
  STATUS,
  statusRecord,
  statusReply,
  SUBMIT,
  type SubmitFault,
  UNKNOWN_MERCHANT,
  UNREADABLE_KEY,
  type Wire,
} from "./answers.ts";
import { TransactionLog, type LogEntry } from "./transaction-log.ts";
import { type Message, type Reader, readerOf, type SimMerchant } from "./message.ts";

/** The gateway's own decisions: random or planned. */
export interface GatewayDecisions {
  submit(merchant: string, code: string): SubmitFault;
  /** A line of STATUS. Null: the true record. */
  status(code: string): string | null;
  /** A code that it has just accepted. */
  taken(): {
    readonly fate: LogEntry["fate"];
    readonly finishAfterMs: number;
    readonly showAfterMs: number;
    /** Null: the promised time. */
    readonly forgetAfterMs: number | null;
    readonly reverseAfterMs: number | null;
  };
  /** Two concurrent requests with one code are both accepted. */
  races(): boolean;
}

/** The fate of one request. */
export interface RequestFate {
  readonly name: string;
  readonly how: GatewayBehaviour;
}

export interface GatewaySettings {
  readonly merchants: ReadonlyMap<string, SimMerchant>;
  /** How it reads values in `name=value`. */
  readonly escaping: "none" | "percent";
  /** How long it refuses a repeated code: the condition of the guarantee. */
  readonly remembersMs: number;
  /** Maximum age of a timestamp. */
  readonly windowMs: number;
  /** Its clock minus the true time. */
  readonly clockOffsetMs: number;
  /** How long it may still work on a request whose caller has left. */
  readonly processingMs: number;
  /** Whether the clocks with which payrun measures that time are correct. */
  readonly areClocksTrue: () => boolean;
  readonly onTaken: (entry: LogEntry) => void;
  /** The money of a payout came back. */
  readonly onReversed: (entry: LogEntry) => void;
  /** It has reported a payout as failed that it pays. */
  readonly onLied: (entry: LogEntry) => void;
}

const AHEAD_MAX_MS = 300_000;
const RACE_MS = 500;

/** The gateway: a transaction log, and answers that need not match it. */
export class Gateway {
  readonly log = new TransactionLog();
  readonly settings: GatewaySettings;
  readonly read: Reader;
  readonly #world: World;
  readonly #decisions: GatewayDecisions;
  readonly #lateCodes = new Set<string>();
  #numbers = 0;
  #date = { second: -1, text: "" };
  requests = 0;
  /** Requests in transit whose callers no longer wait. */
  late = 0;

  constructor(world: World, whims: GatewayDecisions, settings: GatewaySettings) {
    this.#world = world;
    this.#decisions = whims;
    this.settings = settings;
    this.read = readerOf(settings.merchants, settings.escaping);
  }

  /** The fate of a request, decided when it is sent. */
  fateOf({ kind, merchant, code }: Message): RequestFate {
    this.requests += 1;
    if (kind === "payout") {
      const name = this.#decisions.submit(merchant, code);
      return { name, how: SUBMIT[name] };
    }
    const name = kind === "status" ? this.#decisions.status(code) : null;
    const distortion = name === null ? null : STATUS[name];
    if (distortion === "slow") {
      return { name: name ?? "", how: { accepts: false, reply: null, slow: "answer" } };
    }
    const reply =
      typeof distortion === "string" && !isWire(distortion) ? null : (distortion ?? null);
    return { name: name ?? "truth", how: { accepts: false, reply } };
  }

  /**
   * The request arrives, and is processed before its code is stored.
   *
   * @param workMs how long; `answer` is called then, or immediately when the request is refused.
   */
  work(
    message: Message,
    fate: RequestFate,
    workMs: number,
    answer: (said: Reply | Wire) => void,
  ): void {
    const refused = this.#refusal(message);
    if (refused || this.#cannotRace(message.code)) return answer(this.receive(message, fate));
    this.late += 1;
    this.#world.after(workMs, () => {
      this.late -= 1;
      const known = this.entryOf(message.code);
      if (!known || this.#cannotRace(message.code)) return answer(this.receive(message, fate));
      known.times += 1;
      this.settings.onTaken(known);
      if (fate.how.reply !== null) return answer(fate.how.reply);
      this.log.statementsAbout(message.code).known = true;
      answer(this.#dated(ACCEPTED));
    });
  }

  /**
   * A request of this code was in transit for longer than payrun waits: only the gateway's refusal
   * of the code protects.
   */
  arrivesLate(code: string): void {
    this.#lateCodes.add(code);
  }

  #cannotRace(code: string): boolean {
    const known = this.log.entries.get(code);
    return (
      this.#lateCodes.has(code) ||
      known?.isBurned === true ||
      known?.isForeign === true ||
      !this.settings.areClocksTrue()
    );
  }

  /** The request arrives, takes effect, and is answered. */
  receive(message: Message, { name, how }: RequestFate): Reply | Wire {
    const answer =
      message.kind === "payout" ? this.#payout(message, how) : this.#status(message, name);
    const said = how.reply ?? answer;
    if (how.declines) this.log.statementsAbout(message.code).refused = true;
    if (said === ACCEPTED || said === DUPLICATE)
      this.log.statementsAbout(message.code).known = true;
    return typeof said === "string" ? said : this.#dated(said);
  }

  /** The record whose code the gateway still refuses. */
  entryOf(code: string): LogEntry | undefined {
    const entry = this.log.entries.get(code);
    return entry && this.#world.nowMs < entry.remembersUntilMs ? entry : undefined;
  }

  /** Refusals that do not depend on the gateway's choice. Null: none. */
  #refusal({ kind, merchant, code, fields }: Message): Reply | null {
    if (!this.settings.merchants.has(merchant)) return UNKNOWN_MERCHANT;
    if (kind === "unreadable") return UNREADABLE_KEY;
    const stampedMs = Number(fields.get("transaction_timestamp")) * 1_000;
    const ageMs = this.#wallMs() - stampedMs;
    if (!(ageMs <= this.settings.windowMs && ageMs >= -AHEAD_MAX_MS)) return STALE;

    const known = this.entryOf(code);
    return known ? this.#duplicateReply(known) : null;
  }

  #payout(message: Message, how: GatewayBehaviour): Reply {
    const refused = this.#refusal(message);
    if (refused) return refused;
    const { merchant, code, fields } = message;
    if (how.known) {
      const amount =
        how.known === "other_amount" ? "1.00" : (fields.get("transaction_amount") ?? "");
      this.#enter(code, merchant, fields, { amount, known: how.known });
      return how.known === "burned" ? STALE : DUPLICATE;
    }
    // The table of misbehaviour has the answer for this case.
    if (!how.accepts) return STALE;
    const forgotten = this.log.entries.get(code);
    const entry = this.#enter(code, merchant, fields, {});
    entry.times += forgotten?.times ?? 0;
    this.settings.onTaken(entry);
    return ACCEPTED;
  }

  #duplicateReply(known: LogEntry): Reply {
    const isAtOnce = this.#world.nowMs - known.takenMs < RACE_MS;
    if (isAtOnce && !known.isBurned && !known.isForeign && this.#decisions.races()) {
      this.log.broken.set(known.code, "took one code twice at once");
      known.times += 1;
      return ACCEPTED;
    }
    return DUPLICATE;
  }

  #enter(
    code: string,
    merchant: string,
    fields: Message["fields"],
    change: { amount?: string; known?: GatewayBehaviour["known"] },
  ): LogEntry {
    const { nowMs } = this.#world;
    const { known } = change;
    const { fate, finishAfterMs, showAfterMs, forgetAfterMs, reverseAfterMs } =
      this.#decisions.taken();
    const isBurned = known === "burned";
    const entry: LogEntry = {
      code,
      merchant,
      amount: change.amount ?? fields.get("transaction_amount") ?? "",
      currency: fields.get("currency_code") ?? "",
      number: `WD${(this.#numbers += 1)}`,
      times: isBurned ? 0 : 1,
      takenMs: nowMs,
      finishesMs: nowMs + finishAfterMs,
      fate,
      shownMs: isBurned ? Infinity : nowMs + showAfterMs,
      remembersUntilMs: nowMs + (forgetAfterMs ?? this.settings.remembersMs),
      isBurned,
      isForeign: known === "other_amount" || known === "same_amount",
      isReversed: false,
    };
    if (forgetAfterMs !== null) this.log.broken.set(code, "forgot a code before its time");
    this.log.entries.set(code, entry);
    if (reverseAfterMs !== null && fate === "completed" && !isBurned) {
      this.#world.after(finishAfterMs + reverseAfterMs, () => {
        entry.isReversed = true;
        this.settings.onReversed(entry);
      });
    }
    return entry;
  }

  #status({ kind, merchant, code, fields }: Message, distortion: string): Reply {
    const known = this.settings.merchants.get(merchant);
    if (!known || fields.get("merchant_api_key") !== known.entry.api_key) return UNKNOWN_MERCHANT;
    if (kind === "unreadable") return UNREADABLE_KEY;
    const { nowMs } = this.#world;
    const entry = this.entryOf(code) ?? this.log.shownForGood(code);
    const how = STATUS[distortion];
    if (!entry || entry.shownMs > nowMs || how === "not_found") {
      if (entry) this.log.recordDenial(code, nowMs);
      return this.#notFound(code);
    }
    const truth = this.log.actualStateOf(entry, nowMs);
    // Some gateways report a return as `reversed`, others as `failed`.
    const word =
      entry.isReversed && code.charCodeAt(code.length - 1) % 2 === 0 ? "reversed" : truth;
    if (how === "failed" && truth !== "failed") {
      this.log.broken.set(code, "told failed what it pays");
      this.settings.onLied(entry);
    }
    const records = recordsOf(entry, word, how);
    // A clear final record is a commitment.
    const told = this.log.statementsAbout(code);
    told.known = true;
    const says = (end: FinalWord) => records.every((record) => record === statusRecord(entry, end));
    told.completed ||= says("completed");
    told.failed ||= says("failed");
    if (says("failed") || says("reversed")) told.failedTimes += 1;
    return statusReply(records);
  }

  /** Each code has its own form of "unknown", so that every form occurs. */
  #notFound(code: string): Reply {
    return NOT_FOUND[code.charCodeAt(code.length - 1) % NOT_FOUND.length] as Reply;
  }

  #wallMs(): number {
    return EPOCH_MS + this.#world.nowMs + this.settings.clockOffsetMs;
  }

  #dated(reply: Reply): Reply {
    const second = Math.floor(this.#wallMs() / 1_000);
    if (second !== this.#date.second) {
      this.#date = { second, text: new Date(second * 1_000).toUTCString() };
    }
    return { ...reply, headers: { ...reply.headers, date: this.#date.text } };
  }
}

const isWire = (distortion: string): distortion is Wire =>
  distortion === "hang" || distortion === "reset" || distortion === "unreachable";
