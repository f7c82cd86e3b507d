import type { Failure } from "#gateway/wire/connection-failures.ts";
import type { Reply, Transport } from "#gateway/wire/transport.ts";
import type { Wire } from "#proof/simulation/gateway/answers.ts";
import type { Gateway, RequestFate } from "#proof/simulation/gateway/gateway.ts";
import type { Message } from "#proof/simulation/gateway/message.ts";
import type { Fate, SimProcess } from "#proof/simulation/world/process.ts";

/**
 * Called for every request at the moment it is made. A process frozen at that moment sends its
 * bytes later (F12).
 */
export interface Watcher {
  recordRequest(life: SimProcess, message: Message): void;
  /** The process has received this answer. */
  recordAnswer(life: SimProcess, message: Message, mood: RequestFate): void;
  /** Requests of one process in flight. */
  recordInFlight(life: SimProcess, count: number): void;
}

const REFUSED: Failure = { code: "ECONNREFUSED", proof: "not_sent" };
const RESET: Failure = { code: "ECONNRESET", proof: "none" };
const TIMEOUT: Failure = { code: "ETIMEDOUT", proof: "none" };
/**
 * Share of payrun's allowed time for which the gateway works on a request whose caller has left.
 */
const PROCESSED_WITHIN = 0.9;
/** How much later than its caller's deadline a slow answer comes. */
const TOO_SLOW_MS = 200;

/**
 * A process's connection to the gateway: real bytes, which may be lost, late, duplicated, or never
 * answered.
 */
export function wireOf(
  proc: SimProcess,
  gateway: Gateway,
  timeoutMs: number,
  watcher: Watcher,
): Transport {
  let underWay = 0;
  const post: Transport["post"] = (url, contentType, body) =>
    new Promise((resolve) => {
      watcher.recordInFlight(proc, (underWay += 1));
      const message = gateway.read(url, contentType, body);
      watcher.recordRequest(proc, message);
      const exchange = new Exchange(proc, gateway, timeoutMs, message, (answer, mood) => {
        underWay -= 1;
        if (mood) watcher.recordAnswer(proc, message, mood);
        resolve(answer);
      });
      exchange.begin();
    });
  return {
    post,
    get: () => Promise.resolve(REFUSED),
    connect: () => ({
      post: async (...request) => {
        const reply = await post(...request);
        return "proof" in reply ? reply : { ...reply, isReused: false };
      },
      release: () => {},
      discard: () => {},
    }),
    close: () => {},
  };
}

/** One request on its way to the gateway, and its answer on the way back. */
class Exchange {
  readonly #life: SimProcess;
  readonly #gateway: Gateway;
  readonly #timeoutMs: number;
  readonly #message: Message;
  readonly #done: (answer: Reply | Failure, mood: RequestFate | null) => void;
  readonly #fate: Fate;
  /** The process was frozen when it made the request. */
  #hasSlept = false;
  #mood: RequestFate | null = null;

  constructor(
    proc: SimProcess,
    gateway: Gateway,
    timeoutMs: number,
    message: Message,
    done: (answer: Reply | Failure, mood: RequestFate | null) => void,
  ) {
    this.#life = proc;
    this.#gateway = gateway;
    this.#timeoutMs = timeoutMs;
    this.#message = message;
    this.#done = done;
    this.#fate = proc.fateOf("gateway", message.kind);
  }

  /** Sends the request, once the process is awake. */
  begin(): void {
    const proc = this.#life;
    const { strike } = this.#fate;
    if (strike?.when === "before") {
      if (proc.strike(strike, `before ${this.#what}`)) return;
      if (strike.how === "error") return this.#answer(0, REFUSED);
    }
    this.#hasSlept = proc.isPaused;
    if (!this.#hasSlept) return this.#leave();
    proc.world.after(proc.pausedUntilMs - proc.world.nowMs, () => this.#leave());
  }

  get #what(): string {
    return `${this.#message.kind} ${this.#message.code}`;
  }

  /** Delivers an answer to the process after this time. */
  #answer(afterMs: number, said: Reply | Failure): void {
    this.#life.world.after(afterMs, () => this.#hear(said));
  }

  #hear(said: Reply | Failure): void {
    this.#life.deliver(() => this.#done(said, this.#mood));
  }

  #leave(): void {
    const { world, isAlive, name } = this.#life;
    if (!isAlive) return;
    world.activity += 1;
    const chosen = this.#gateway.fateOf(this.#message);
    this.#mood = chosen;
    world.log(() => `${name} sends ${this.#what} (${chosen.name})`);
    if (chosen.how.reply === "unreachable") this.#answer(this.#fate.delayMs, REFUSED);
    else if (chosen.how.works) this.#work(chosen);
    else if (chosen.how.slow === "arrival") this.#arriveLate(chosen);
    else this.#arrive(chosen);
  }

  /**
   * The gateway may work on it for longer than its caller waits. A caller that leaves does not end
   * the work.
   */
  #work(chosen: RequestFate): void {
    const { world } = this.#life;
    const { delayMs, answerMs, strike } = this.#fate;
    const gateway = this.#gateway;
    const isReset = chosen.how.reply === "reset";
    // The caller may have left immediately, so the time is only the gateway's processing time.
    const waitsMs = isReset || strike ? 0 : this.#timeoutMs;
    const workMs = world.random.between(
      0,
      waitsMs + PROCESSED_WITHIN * gateway.settings.processingMs,
    );
    if (this.#hasSlept) gateway.arrivesLate(this.#message.code);
    let isOver = false;
    const end = (afterMs: number, said: Reply | Failure) => {
      if (isOver) return;
      isOver = true;
      this.#answer(afterMs, said);
    };
    world.after(delayMs, () => {
      if (isReset) end(0, RESET);
      else world.after(this.#timeoutMs - delayMs, () => end(0, TIMEOUT));
      gateway.work(this.#message, chosen, workMs, (said) => {
        world.log(() => `gateway has worked on ${this.#what}: ${textOf(said)}`);
        end(answerMs, typeof said === "string" ? RESET : said);
      });
      if (strike?.when === "after") {
        if (this.#life.strike(strike, `after ${this.#what}`)) return;
        if (strike.how === "error") end(0, RESET);
      }
    });
  }

  /** Its caller has given up, but the request arrives and is processed. */
  #arriveLate(chosen: RequestFate): void {
    const { world } = this.#life;
    const gateway = this.#gateway;
    gateway.arrivesLate(this.#message.code);
    const lateMs = this.#timeoutMs + world.random.between(0, gateway.settings.windowMs);
    gateway.late += 1;
    if (chosen.how.reply === "reset") this.#answer(this.#fate.delayMs, RESET);
    else this.#answer(this.#timeoutMs, TIMEOUT);
    world.after(lateMs + this.#fate.delayMs, () => {
      this.#receive(chosen);
      gateway.late -= 1;
    });
  }

  #arrive(chosen: RequestFate): void {
    const { delayMs, answerMs, strike } = this.#fate;
    const timeoutMs = this.#timeoutMs;
    if (this.#hasSlept) this.#gateway.arrivesLate(this.#message.code);
    this.#life.world.after(delayMs, () => {
      const said = this.#receive(chosen);
      if (strike?.when === "after") {
        if (this.#life.strike(strike, `after ${this.#what}`)) return;
        if (strike.how === "error") return this.#answer(0, RESET);
      }
      const slowMs = chosen.how.slow === "answer" ? timeoutMs + TOO_SLOW_MS : 0;
      const isTooLate = delayMs + answerMs + slowMs > timeoutMs;
      if (said === "hang" || isTooLate) return this.#answer(timeoutMs - delayMs, TIMEOUT);
      if (said === "unreachable" || said === "reset") return this.#answer(answerMs, RESET);
      if (answerMs > 0) this.#answer(answerMs, said);
      else this.#hear(said);
    });
  }

  /** The gateway receives the request, once or twice. */
  #receive(chosen: RequestFate): Reply | Wire {
    const said = this.#gateway.receive(this.#message, chosen);
    this.#life.world.log(() => `gateway answers ${this.#what}: ${textOf(said)}`);
    if (chosen.how.twice) this.#gateway.receive(this.#message, chosen);
    return said;
  }
}

const textOf = (said: Reply | Wire): string =>
  typeof said === "string" ? said : `${said.status} ${said.body?.slice(0, 120)}`;
