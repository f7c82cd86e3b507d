/** A thread that reads one workbook and exits. */
import { parentPort, workerData } from "node:worker_threads";
import { sheetOf } from "#intake/workbook/sheet.ts";
import type { SheetTask } from "#intake/workbook/sheet-reader.ts";

/**
 * read-excel-file reads a sheet in pieces, copies all previous rows for each, and halves a piece
 * that took longer than 7 ms. On a slow machine the pieces shrink until a workbook of 200,000 rows
 * exceeds the time limit. No work waits for this thread, so its clock stays fixed, and each piece
 * is twice as long as the one before.
 */
/* oxlint-disable no-restricted-properties -- sets the clock of read-excel-file */
const nowMs = Date.now();
Date.now = () => nowMs;
/* oxlint-enable no-restricted-properties */

const { file, columnsMax } = workerData as SheetTask;
const read = await sheetOf(Buffer.from(file.buffer), columnsMax);
parentPort?.postMessage(read, read.ok ? read.value.chunks.map(({ buffer }) => buffer) : []);
