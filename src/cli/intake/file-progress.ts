import { bar, clearLine, progressLine } from "#cli/terminal/live-line.ts";
import { rateMeter, rateText, timeLeftText } from "#cli/terminal/pace.ts";
import { systemClock } from "#base/clock.ts";

const SHOW_EVERY_MS = 250;

/**
 * Shows how much of a file has been read. Small files are read before the first line is shown.
 *
 * @param bytes size of the file. Null: unknown.
 */
export function fileProgress(bytes: number | null) {
  const show = progressLine(systemClock, systemClock.monotonicMs());
  let byteRateOf = rateMeter(systemClock);
  const rowRateOf = rateMeter(systemClock);
  let [bytesRead, rowsRead] = [0, 0];
  let shownMs = systemClock.monotonicMs();
  const update = () => {
    if (systemClock.monotonicMs() - shownMs < SHOW_EVERY_MS) return;
    shownMs = systemClock.monotonicMs();
    const [byteRate, rowRate] = [byteRateOf(bytesRead), rowRateOf(rowsRead)];
    show(readingText({ bytes, bytesRead, byteRate, rowsRead, rowRate }));
  };
  return {
    /** Passes the bytes of one reading of the file on. */
    async *count(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      bytesRead = 0;
      byteRateOf = rateMeter(systemClock);
      for await (const chunk of chunks) {
        bytesRead += chunk.length;
        update();
        yield chunk;
      }
    },
    addRows(rows: number): void {
      rowsRead += rows;
      update();
    },
    clear: clearLine,
  };
}

interface ReadSoFar {
  readonly bytes: number | null;
  readonly bytesRead: number;
  readonly byteRate: number | null;
  readonly rowsRead: number;
  readonly rowRate: number | null;
}

/**
 * Formats the progress. The bytes of a workbook are read before its rows, so they do not show how
 * long its rows take.
 */
export function readingText({ bytes, bytesRead, byteRate, rowsRead, rowRate }: ReadSoFar): string {
  const isCounting = bytes !== null && bytesRead < bytes;
  const share = isCounting ? bytesRead / bytes : 0;
  const rate = rateText(rowRate);
  const parts = [
    isCounting ? `${Math.floor(share * 100)}% read` : "",
    rowsRead > 0 ? `${rowsRead.toLocaleString("en")} rows` : "",
    rate.replace("/", " rows/"),
    isCounting ? timeLeftText(bytes - bytesRead, byteRate) : "",
  ];
  return `${isCounting ? bar(share) : ""}${parts.filter((part) => part !== "").join(" · ")}`;
}
