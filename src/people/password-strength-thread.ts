/**
 * Runs in a thread of its own and estimates how many guesses a password takes: up to a second of
 * work, and 65 MB of word lists.
 */
import { parentPort } from "node:worker_threads";
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as english } from "@zxcvbn-ts/language-en";
import type { StrengthTask } from "#people/password-strength.ts";

const estimator = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
});

parentPort?.on("message", ({ password, words }: StrengthTask) => {
  parentPort?.postMessage(estimator.check(password, [...words]).guessesLog10, []);
});
