import { Worker } from "node:worker_threads";

/** What a run leaves behind is young: with room for it, it is rarely swept. */
const YOUNG_MB = 384;

/** Runs a file of this folder in a thread of its own, and resolves with the one message that it sends. */
export function inThread<Result>(file: string, task: unknown): Promise<Result> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(file, import.meta.url), {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`a thread ended with ${code}`)));
  });
}
