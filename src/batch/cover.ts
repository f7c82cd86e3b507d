import { knownColumn } from "#batch/header.ts";
import type { Problem } from "#batch/problems.ts";

/** What tells an account: shown in full only to those who may see it. */
const COVERED: ReadonlySet<string> = new Set(["bank_account_number", "phone_number", "address"]);

const isCovered = (name: string): boolean => COVERED.has(knownColumn(name) ?? "");

/** All but the last four characters covered. */
const cover = (text: string): string =>
  `${"•".repeat(Math.max(text.length - 4, 0))}${text.slice(-4)}`;

/** The cells of a row for somebody who may not see accounts in full. */
export const coverCells = (header: readonly string[], cells: readonly string[]): string[] =>
  cells.map((cell, place) => (isCovered(header[place] ?? "") ? cover(cell) : cell));

export const coverProblem = (problem: Problem): Problem =>
  problem.column !== null && problem.found !== null && isCovered(problem.column)
    ? { ...problem, found: cover(problem.found) }
    : problem;
