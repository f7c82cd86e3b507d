import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../test/support/servers/eventually.ts";
import { type Env, ROOT, type Running, startPayrun } from "../../test/support/servers/payrun.ts";
import type { Member } from "./plan.ts";

/** The processes of payrun. Each is restarted when it exits, as a supervisor does. */
export interface Fleet {
  readonly members: readonly Member[];
  /** Waits until each process works. It fails with the last output of one that does not start. */
  works(): Promise<void>;
  /** Sends the signal once the process works, or after the time it should need to start. */
  strike(member: Member, signal: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT"): Promise<void>;
  /** Unexpected exits, each with the last output of the process. */
  readonly collapses: readonly string[];
  /** Sends SIGTERM to all, and starts no new ones. */
  close(): Promise<void>;
}

/** The command of a process. */
export interface Start {
  readonly args: readonly string[];
  readonly env: Env;
}

const READY = /workers are running/;
const READY_MS = 6_000;
/** Time in milliseconds for all processes to start after the database. */
const WORKS_MS = 120_000;
const PAUSE_MS = 200;
const DRAIN_MS = 60_000;
/** The last output of a process. */
const WORDS_CHARS = 400;
/** A timer that is no longer needed does not keep the process alive. */
const UNHELD = { ref: false };

/** The two answers of a wait that may fail. */
const TRUE_OR_FALSE = [() => true, () => false] as const;

/** @param logs where each process's output is kept. */
export function startFleet(members: Readonly<Record<Member, Start>>, logs: string): Fleet {
  const closing = new AbortController();
  const collapses: string[] = [];
  /** Of processes that ended before they worked. */
  const lastWords = new Map<string, string>();
  const lives = new Map<
    string,
    { running: Running; ready: Promise<boolean>; works: boolean; signalled: boolean }
  >();

  async function live(name: string, { args, env }: Start): Promise<void> {
    for (let number = 1; !closing.signal.aborted; number += 1) {
      const running = startPayrun(args, env);
      const ready = running.says(READY).then(...TRUE_OR_FALSE);
      const life = { running, ready, works: false, signalled: false };
      void ready.then((works) => Object.assign(life, { works }));
      lives.set(name, life);
      const { code, signal, stdout, stderr } = await running.ended;
      writeFileSync(join(logs, `${name}-${number}.log`), stdout + stderr);
      // A process that could not start because a server was unavailable has not crashed: it
      // reports this and is restarted.
      if (!life.signalled) {
        const words = `${name} exited with ${signal ?? code}: ${stderr.replaceAll(`${ROOT}/`, "").slice(-WORDS_CHARS)}`;
        if (await ready) collapses.push(words);
        else lastWords.set(name, words);
      }
      life.works = false;
      await sleep(PAUSE_MS);
    }
  }
  const living = Object.entries(members).map(([name, start]) => live(name, start));

  return {
    members: Object.keys(members) as Member[],
    collapses,
    async works() {
      const idle = () => [...lives].filter(([, { works }]) => !works).map(([name]) => name);
      try {
        await eventually("all processes", async () => idle().length === 0, WORKS_MS);
      } catch {
        const words = idle().map((name) => lastWords.get(name) ?? `${name} does not start`);
        throw new Error(words.join("\n"));
      }
    },
    async strike(member, signal) {
      const life = lives.get(member);
      if (!life) throw new Error(`there is no ${member}`);
      if (signal !== "SIGCONT")
        await Promise.race([life.ready, sleep(READY_MS, undefined, UNHELD)]);
      if (signal === "SIGKILL" || signal === "SIGTERM") life.signalled = true;
      life.running.child.kill(signal);
      if (signal === "SIGKILL") await life.running.ended;
    },
    async close() {
      closing.abort();
      for (const life of lives.values()) {
        life.signalled = true;
        life.running.child.kill("SIGCONT");
        life.running.child.kill("SIGTERM");
      }
      const all = Promise.all(living).then(() => true);
      if (await Promise.race([all, sleep(DRAIN_MS, undefined, UNHELD).then(() => false)])) return;
      for (const [name, { running }] of lives) {
        if (running.child.kill("SIGKILL")) collapses.push(`${name} did not exit on SIGTERM`);
      }
      await all;
    },
  };
}
