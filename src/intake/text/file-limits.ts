/**
 * Limits on the size of a file, beyond which it is refused. They protect the process, not the
 * money.
 */
export interface FileLimits {
  readonly bytesMax: number;
  readonly rowsMax: number;
  readonly columnsMax: number;
  readonly recordBytesMax: number;
  /** Line counts at which spreadsheets truncate a file. */
  readonly spreadsheetLines: readonly number[];
}

/** The default limits. 65,536 lines: XLS and older programs. 1,048,576: XLSX. */
export const DEFAULT_FILE_LIMITS: FileLimits = {
  bytesMax: 2 * 1024 ** 3,
  rowsMax: 5_000_000,
  columnsMax: 200,
  recordBytesMax: 64 * 1024,
  spreadsheetLines: [65_536, 1_048_576],
};

/**
 * Maximum size of an unpacked workbook in bytes. It is held in memory as a whole: about 100,000
 * rows.
 */
export const UNPACKED_BYTES_MAX = 64 * 1024 ** 2;
