import { Worker } from "node:worker_threads";

export interface GuessTask {
  readonly password: string;
  /** What an attacker knows of the person: name, e-mail address, names of this product. */
  readonly words: readonly string[];
}

/** For one estimate, and for the start of the thread. */
const WITHIN_MS = 30_000;
/** How long the thread stays for the next password; its word lists take 65 MB. */
const IDLE_MS = 30_000;

let thread: Worker | null = null;
let asked = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * The number of guesses that a password takes, as a power of ten. One password at a time, in a thread of its own, so
 * that the server answers others meanwhile.
 */
export function guessesFor(task: GuessTask): Promise<number> {
  const found = last.then(() => estimated(task));
  last = Promise.allSettled([found]);
  return found;
}

async function estimated(task: GuessTask): Promise<number> {
  asked += 1;
  const current = asked;
  const worker = (thread ??= new Worker(new URL("guess-thread.ts", import.meta.url)));
  worker.ref();
  try {
    return await answerOf(worker, task);
  } catch (error) {
    end(worker);
    throw error;
  } finally {
    worker.unref();
    AbortSignal.timeout(IDLE_MS).addEventListener("abort", () => {
      if (asked === current) end(worker);
    });
  }
}

const answerOf = (worker: Worker, task: GuessTask): Promise<number> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(new Error("the strength of a password could not be estimated"));
    AbortSignal.timeout(WITHIN_MS).addEventListener("abort", fail);
    worker.removeAllListeners();
    worker.once("message", resolve);
    worker.once("error", fail);
    worker.once("exit", fail);
    worker.postMessage(task, []);
  });

function end(worker: Worker): void {
  if (thread === worker) thread = null;
  void worker.terminate();
}
