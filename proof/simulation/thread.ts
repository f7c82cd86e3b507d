import { Worker } from "node:worker_threads";

/** The objects of a run are short-lived: with enough room, garbage collection is rare. */
const YOUNG_MB = 384;

/**
 * Runs a file of this folder in a separate thread, and resolves with the one message that it sends.
 */
export function inThread<Result>(file: string, task: unknown): Promise<Result> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(file, import.meta.url), {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`a thread exited with ${code}`)));
  });
}
