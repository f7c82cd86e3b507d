/** A thread that reads one workbook and exits. */
import { parentPort, workerData } from "node:worker_threads";
import { sheetOf } from "#intake/workbook/sheet.ts";
import type { SheetTask } from "#intake/workbook/sheet-reader.ts";

const { file, columnsMax } = workerData as SheetTask;
const read = await sheetOf(Buffer.from(file.buffer), columnsMax);
parentPort?.postMessage(read, read.ok ? read.value.chunks.map(({ buffer }) => buffer) : []);
