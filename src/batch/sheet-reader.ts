import { Worker } from "node:worker_threads";
import { broken } from "#batch/book.ts";
import type { Problem } from "#batch/problems.ts";
import type { Sheet } from "#batch/sheet.ts";
import { Turns } from "#batch/turns.ts";
import type { Result } from "#result.ts";

export interface SheetTask {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly columnsMax: number;
}

export interface ThreadLimits {
  readonly memoryMb: number;
  /** Time of a processor, which other work on the machine does not count for. */
  readonly cpuMs: number;
  /** Time on the clock: also for a Node that cannot tell a thread's time of a processor (before 22.20). */
  readonly timeMs: number;
}

/** The largest workbook within the other limits takes 12 seconds of a processor (measured: 195,000 rows of numbers). */
export const THREAD_LIMITS: ThreadLimits = { memoryMb: 2_048, cpuMs: 40_000, timeMs: 180_000 };

/** How often the time of a thread is looked at. */
const LOOK_MS = 100;

/** One workbook of each person at a time, two in all: for the sake of the memory, and of what else the machine does. */
const turns = new Turns(2);

/**
 * Reads a workbook in a thread of its own, so that everything else goes on, and ends the thread at its limits. The file
 * is opened when its turn comes and given away to the thread. Err: also where reading it takes the thread's life.
 *
 * @param sender whose workbook it is: people take turns, however many files one of them sends.
 */
export const sheetInThread = <T>(
  sender: string,
  open: () => Promise<Result<SheetTask & T, Problem>>,
  limits: ThreadLimits = THREAD_LIMITS,
): Promise<Result<T & { readonly sheet: Sheet }, Problem>> =>
  turns.with(sender, async () => {
    const task = await open();
    if (!task.ok) return task;
    const { file, columnsMax, ...about } = task.value;
    const read = await inThread({ file, columnsMax }, limits);
    return read.ok ? { ok: true, value: { ...(about as unknown as T), sheet: read.value } } : read;
  });

function inThread(
  task: SheetTask,
  { memoryMb, cpuMs, timeMs }: ThreadLimits,
): Promise<Result<Sheet, Problem>> {
  return new Promise((resolve) => {
    const thread = new Worker(new URL("sheet-thread.ts", import.meta.url), {
      workerData: task,
      transferList: [task.file.buffer],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    let hasEnded = false;
    const end = (result: Result<Sheet, Problem>) => {
      if (hasEnded) return;
      hasEnded = true;
      clearInterval(watch);
      // The next one begins when the memory of this one is free.
      void thread.terminate().then(() => resolve(result));
    };
    const fail = (why: string) => end(broken(why));
    const tooLong = (ms: number) => fail(`reading it takes longer than ${ms / 1_000} seconds`);
    const startedMs = performance.now();
    // oxlint-disable-next-line no-restricted-globals -- it watches a thread, not the ledger's clock
    const watch = setInterval(() => {
      if (performance.now() - startedMs > timeMs) tooLong(timeMs);
      else void usedMs(thread).then((used) => used > cpuMs && tooLong(cpuMs));
    }, LOOK_MS);
    thread.once("message", end);
    thread.once("error", (error: NodeJS.ErrnoException) =>
      fail(
        error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? "reading it takes more memory than a workbook may"
          : "its reader failed",
      ),
    );
    thread.once("exit", () => fail("its reader ended without a word"));
  });
}

/** The time of a processor that the thread has taken; 0 where Node cannot tell it, or the thread has ended. */
async function usedMs(thread: Worker): Promise<number> {
  const { user, system } = await Promise.resolve(thread.cpuUsage?.()).then(
    (used) => used ?? NOTHING,
    () => NOTHING,
  );
  return (user + system) / 1_000;
}

const NOTHING = { user: 0, system: 0 };
