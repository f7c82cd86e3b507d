import { Worker } from "node:worker_threads";

/** Runs a file of this folder in a thread of its own, and resolves with the one message that it sends. */
export function inThread<Result>(file: string, task: unknown): Promise<Result> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(file, import.meta.url), { workerData: task });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`a thread ended with ${code}`)));
  });
}
