import { Worker } from "node:worker_threads";
import { broken } from "#intake/workbook/workbook-parts.ts";
import type { Problem } from "#intake/text/problems.ts";
import type { Sheet } from "#intake/workbook/sheet.ts";
import { UploadTurns } from "#intake/text/upload-turns.ts";
import type { Result } from "#base/result.ts";

export interface SheetTask {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly columnsMax: number;
}

export interface ThreadLimits {
  readonly memoryMb: number;
  /** CPU time in milliseconds, which excludes other work on the machine. */
  readonly cpuMs: number;
  /**
   * Wall-clock time in milliseconds, also for Node versions that cannot measure the CPU time of a
   * thread (before 22.20).
   */
  readonly timeMs: number;
}

/**
 * Limits of a reading thread. The largest workbook within the other limits takes 16 seconds of CPU
 * time (measured: 1,040,000 rows of one number).
 */
export const THREAD_LIMITS: ThreadLimits = { memoryMb: 2_048, cpuMs: 40_000, timeMs: 180_000 };

/** Interval in milliseconds at which the time of a thread is checked. */
const CHECK_MS = 100;

/**
 * One workbook per person at a time, two in total, to limit memory and leave capacity for other
 * work.
 */
const turns = new UploadTurns(2);

/**
 * Reads a workbook in a separate thread, so other work continues, and terminates the thread at its
 * limits. The file is opened when its turn comes and is transferred to the thread. Err: also if
 * reading crashes the thread.
 *
 * @param sender whose workbook it is. Senders take turns, however many files one sender uploads.
 */
export const readSheetInThread = <T>(
  sender: string,
  open: () => Promise<Result<SheetTask & T, Problem>>,
  limits: ThreadLimits = THREAD_LIMITS,
): Promise<Result<T & { readonly sheet: Sheet }, Problem>> =>
  turns.runInTurn(sender, async () => {
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
      // The next workbook starts once the memory of this one is free.
      void thread.terminate().then(() => resolve(result));
    };
    const fail = (why: string) => end(broken(why));
    const tooLong = (ms: number) => fail(`reading it took longer than ${ms / 1_000} seconds`);
    const startedMs = performance.now();
    // oxlint-disable-next-line no-restricted-globals -- it watches a thread, not the ledger's clock
    const watch = setInterval(() => {
      if (performance.now() - startedMs > timeMs) tooLong(timeMs);
      else void usedMs(thread).then((used) => used > cpuMs && tooLong(cpuMs));
    }, CHECK_MS);
    thread.once("message", end);
    thread.once("error", (error: NodeJS.ErrnoException) =>
      fail(
        error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? "reading it took more memory than a workbook may use"
          : "its reader crashed",
      ),
    );
    thread.once("exit", () => fail("its reader exited without a result"));
  });
}

/**
 * Returns the CPU time of the thread in milliseconds. 0: Node cannot measure it, or the thread has
 * ended.
 */
async function usedMs(thread: Worker): Promise<number> {
  const { user, system } = await Promise.resolve(thread.cpuUsage?.()).then(
    (used) => used ?? NOTHING,
    () => NOTHING,
  );
  return (user + system) / 1_000;
}

const NOTHING = { user: 0, system: 0 };
