/** How much of a file is read before it is refused. They protect the process, not the money. */
export interface FileLimits {
  readonly bytesMax: number;
  readonly rowsMax: number;
  readonly columnsMax: number;
  readonly recordBytesMax: number;
  /** Counts of lines at which spreadsheets cut a file off. */
  readonly spreadsheetLines: readonly number[];
}

/** 65,536 lines: XLS and older programs. 1,048,576: XLSX. */
export const DEFAULT_FILE_LIMITS: FileLimits = {
  bytesMax: 2 * 1024 ** 3,
  rowsMax: 5_000_000,
  columnsMax: 200,
  recordBytesMax: 64 * 1024,
  spreadsheetLines: [65_536, 1_048_576],
};

/** A workbook is held in memory as a whole: some 100,000 rows. */
export const UNPACKED_BYTES_MAX = 64 * 1024 ** 2;
