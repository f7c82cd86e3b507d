/**
 * Time from the start of an upload over HTTP until its check results, alternating with an ingest of
 * the same rows without HTTP. Also measures how much the server's memory grows meanwhile.
 */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { got } from "got";
import { readConfig } from "#app/config.ts";
import { ingest } from "#flows/intake/ingest.ts";
import { openPayrun } from "#app/wiring.ts";
import { median, scratch, settingsIn, signIn, start, usedBy, writeInrFile } from "./support.ts";

export interface UploadFigures {
  /** Medians of the runs, from the first byte to the check results and their first rows. */
  readonly seconds: number;
  /** Time relative to an ingest of the same rows without HTTP. */
  readonly ratio: number;
  /** Maximum of all runs. */
  readonly grownMegabytes: number;
}

const WARM_UP_ROWS = 5_000;
const WRONG_EVERY = 50;
const SAMPLE_MS = 20;

/** Measures how many rows per second an upload over HTTP takes. */
export async function measureUpload(rows: number, runs: number): Promise<UploadFigures> {
  const folder = scratch();
  const env = await settingsIn(folder);
  const payrun = await openPayrun(readConfig(env));
  const server = await start(
    "./payrun",
    ["serve", "--no-workers", "--port", "0"],
    env,
    /listening at (\S+)/,
  );
  try {
    const headers = await signIn(payrun.database, ["uploader"]);
    const desk = got.extend({
      prefixUrl: `${server.match[1]}/api/`,
      headers,
      retry: { limit: 0 },
    });
    const upload = async (size: number, run: number): Promise<void> => {
      const file = writeInrFile(join(folder, `${run}.csv`), size, run, WRONG_EVERY);
      const body = desk.stream.post("batches", {
        searchParams: { file_name: "bench.csv" },
        headers: { "content-type": "text/csv" },
      });
      let text = "";
      await pipeline(createReadStream(file), body, async (answer: AsyncIterable<Buffer>) => {
        for await (const piece of answer) text += String(piece);
      });
      const { batch } = JSON.parse(text) as { batch: { batch_id: string; rows: number } };
      await desk(`batches/${batch.batch_id}/findings`);
      await desk(`batches/${batch.batch_id}/rows`);
      if (batch.rows !== size) throw new Error(`${batch.rows} rows of ${size}`);
    };
    const plain = async (run: number): Promise<void> => {
      const file = writeInrFile(join(folder, `${run}.csv`), rows, run, WRONG_EVERY);
      const open = () => createReadStream(file);
      const taken = await ingest({ fileName: file, open, actor: "bench" }, payrun);
      if (!taken.ok) throw new Error("the file was refused");
    };

    await upload(WARM_UP_ROWS, 0);
    const ours: number[] = [];
    const theirs: number[] = [];
    let grownMegabytes = 0;
    for (let run = 1; run <= runs; run++) {
      const grown = growth(server.child.pid);
      ours.push(await timed(() => upload(rows, run)));
      grownMegabytes = Math.max(grownMegabytes, grown.end());
      theirs.push(await timed(() => plain(runs + run)));
      process.stderr.write(
        `upload ${ours.at(-1)?.toFixed(1)} s, grown by ${grownMegabytes.toFixed(0)} MB; without HTTP ${theirs.at(-1)?.toFixed(1)} s\n`,
      );
    }
    const seconds = median(ours);
    return { seconds, ratio: seconds / median(theirs), grownMegabytes };
  } finally {
    await server.stop();
    await payrun.close();
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1_000;
}

/** Peak memory growth of a process from now on. */
function growth(pid: number | undefined): { end(): number } {
  const now = () => usedBy(pid)?.megabytes ?? Number.NaN;
  const before = now();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, now());
  }, SAMPLE_MS);
  return {
    end() {
      clearInterval(sampling);
      return most - before;
    },
  };
}
