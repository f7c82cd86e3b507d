import type { Failure } from "#gateway/wire/connection-failures.ts";
import type { Reply, Transport } from "#gateway/wire/transport.ts";
import type { Wire } from "#proof/simulation/gateway/answers.ts";
import type { Gateway, Mood } from "#proof/simulation/gateway/gateway.ts";
import type { Message } from "#proof/simulation/gateway/message.ts";
import type { Life } from "#proof/simulation/world/life.ts";

/**
 * Called for every request at the moment it is made. A process frozen at that moment sends its
 * bytes later (F12).
 */
export interface Watcher {
  sends(life: Life, message: Message): void;
  /** The process has received this answer. */
  hears(life: Life, message: Message, mood: Mood): void;
  /** Requests of one process in flight. */
  underWay(life: Life, count: number): void;
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
  life: Life,
  gateway: Gateway,
  timeoutMs: number,
  watcher: Watcher,
): Transport {
  const { world } = life;
  let underWay = 0;

  function exchange(message: Message, resolve: (answer: Reply | Failure) => void): void {
    const what = `${message.kind} ${message.code}`;
    const { delayMs, answerMs, strike } = life.fateOf("gateway", message.kind);
    let mood: Mood | null = null;
    const done = (answer: Reply | Failure) => {
      underWay -= 1;
      if (mood) watcher.hears(life, message, mood);
      resolve(answer);
    };
    const answer = (afterMs: number, said: Reply | Failure) =>
      world.after(afterMs, () => life.hears(() => done(said)));

    if (strike?.when === "before") {
      if (life.struckBy(strike, `before ${what}`)) return;
      if (strike.how === "error") return answer(0, REFUSED);
    }
    const hasSlept = life.isPaused;
    /**
     * The gateway may work on it for longer than its caller waits. A caller that leaves does not
     * end the work.
     */
    const work = (chosen: Mood): void => {
      // The caller may have left immediately, so the time is only the gateway's processing time.
      const waitsMs = chosen.how.says === "reset" || strike ? 0 : timeoutMs;
      const workMs = world.chance.between(
        0,
        waitsMs + PROCESSED_WITHIN * gateway.settings.processingMs,
      );
      if (hasSlept) gateway.arrivesLate(message.code);
      let isOver = false;
      const end = (afterMs: number, said: Reply | Failure) => {
        if (isOver) return;
        isOver = true;
        answer(afterMs, said);
      };
      world.after(delayMs, () => {
        if (chosen.how.says === "reset") end(0, RESET);
        else world.after(timeoutMs - delayMs, () => end(0, TIMEOUT));
        gateway.work(message, chosen, workMs, (said) => {
          world.tell(() => `gateway has worked on ${what}: ${textOf(said)}`);
          end(answerMs, typeof said === "string" ? RESET : said);
        });
        if (strike?.when === "after") {
          if (life.struckBy(strike, `after ${what}`)) return;
          if (strike.how === "error") end(0, RESET);
        }
      });
    };
    const leave = (): void => {
      if (!life.isAlive) return;
      world.activity += 1;
      const chosen = gateway.moodFor(message);
      mood = chosen;
      const { says, slow, twice, works } = chosen.how;
      world.tell(() => `${life.name} sends ${what} (${chosen.name})`);
      if (says === "unreachable") return answer(delayMs, REFUSED);

      if (works) return work(chosen);
      const isLate = slow === "arrival";
      if (isLate || hasSlept) gateway.arrivesLate(message.code);
      const lateMs = isLate ? timeoutMs + world.chance.between(0, gateway.settings.windowMs) : 0;
      if (isLate) {
        gateway.late += 1;
        answer(says === "reset" ? delayMs : timeoutMs, says === "reset" ? RESET : TIMEOUT);
      }
      world.after(lateMs + delayMs, () => {
        const said = gateway.receive(message, chosen);
        world.tell(() => `gateway answers ${what}: ${textOf(said)}`);
        if (twice) gateway.receive(message, chosen);
        if (isLate) {
          gateway.late -= 1;
          return;
        }
        if (strike?.when === "after") {
          if (life.struckBy(strike, `after ${what}`)) return;
          if (strike.how === "error") return answer(0, RESET);
        }
        const tookMs = delayMs + answerMs + (slow === "answer" ? timeoutMs + TOO_SLOW_MS : 0);
        if (said === "hang" || tookMs > timeoutMs) return answer(timeoutMs - delayMs, TIMEOUT);
        if (said === "unreachable" || said === "reset") return answer(answerMs, RESET);
        if (answerMs > 0) answer(answerMs, said);
        else life.hears(() => done(said));
      });
    };
    if (life.isPaused) world.after(life.pausedUntilMs - world.nowMs, leave);
    else leave();
  }

  const post: Transport["post"] = (url, contentType, body) =>
    new Promise((resolve) => {
      watcher.underWay(life, (underWay += 1));
      const message = gateway.read(url, contentType, body);
      watcher.sends(life, message);
      exchange(message, resolve);
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

const textOf = (said: Reply | Wire): string =>
  typeof said === "string" ? said : `${said.status} ${said.body?.slice(0, 120)}`;
