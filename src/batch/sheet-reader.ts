import { Worker } from "node:worker_threads";
import { broken } from "#batch/book.ts";
import type { Problem } from "#batch/problems.ts";
import type { Sheet } from "#batch/sheet.ts";
import type { Result } from "#result.ts";

export interface SheetTask {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly columnsMax: number;
}

export interface ThreadLimits {
  readonly memoryMb: number;
  readonly timeMs: number;
}

/** What the largest workbook within the other limits needs, some times over. */
const THREAD_LIMITS: ThreadLimits = { memoryMb: 2_048, timeMs: 180_000 };

let last: Promise<unknown> = Promise.resolve();

/**
 * Reads a workbook in a thread of its own, so that everything else goes on: one at a time, for the sake of the memory.
 * The file is given away to it. Err: also where reading it takes the thread's life, or longer than anybody waits.
 */
export function sheetInThread(
  task: SheetTask,
  limits: ThreadLimits = THREAD_LIMITS,
): Promise<Result<Sheet, Problem>> {
  const read = last.then(() => inThread(task, limits));
  last = Promise.allSettled([read]);
  return read;
}

function inThread(
  task: SheetTask,
  { memoryMb, timeMs }: ThreadLimits,
): Promise<Result<Sheet, Problem>> {
  return new Promise((resolve) => {
    const thread = new Worker(new URL("sheet-thread.ts", import.meta.url), {
      workerData: task,
      transferList: [task.file.buffer],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    const end = (result: Result<Sheet, Problem>) => {
      resolve(result);
      void thread.terminate();
    };
    const fail = (why: string) => end(broken(why));
    AbortSignal.timeout(timeMs).addEventListener("abort", () =>
      fail(`reading it takes longer than ${timeMs / 1_000} seconds`),
    );
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
