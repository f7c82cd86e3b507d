import { Worker } from "node:worker_threads";

export interface StrengthTask {
  readonly password: string;
  /** Words that an attacker knows about the person: name, e-mail address, names of this product. */
  readonly words: readonly string[];
}

/** Time limit in milliseconds for one estimate, including the start of the thread. */
const ESTIMATE_TIMEOUT_MS = 30_000;
/**
 * Milliseconds for which the idle thread is kept for the next password. Its word lists take 65 MB.
 */
const IDLE_MS = 30_000;

let thread: Worker | null = null;
let taskCount = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Estimates the number of guesses that a password takes, as a power of ten. It handles one password
 * at a time, in its own thread, so that the server can answer other requests meanwhile.
 */
export function estimateGuesses(task: StrengthTask): Promise<number> {
  const found = last.then(() => estimated(task));
  last = Promise.allSettled([found]);
  return found;
}

async function estimated(task: StrengthTask): Promise<number> {
  taskCount += 1;
  const current = taskCount;
  const worker = (thread ??= new Worker(new URL("password-strength-thread.ts", import.meta.url)));
  worker.ref();
  try {
    return await answerOf(worker, task);
  } catch (error) {
    end(worker);
    throw error;
  } finally {
    worker.unref();
    AbortSignal.timeout(IDLE_MS).addEventListener("abort", () => {
      if (taskCount === current) end(worker);
    });
  }
}

const answerOf = (worker: Worker, task: StrengthTask): Promise<number> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(new Error("the strength of a password could not be estimated"));
    AbortSignal.timeout(ESTIMATE_TIMEOUT_MS).addEventListener("abort", fail);
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
