interface Size {
  readonly payouts: number;
  readonly files: number;
  readonly kills: number;
  /** Servers of the dashboard and the API, which work as well. */
  readonly servers: number;
  readonly workers: number;
  /** Concurrent requests per process. */
  readonly atOnce: number;
  /** Average time between two strikes. */
  readonly stepMs: number;
}

// biome-ignore format: the table is easier to read in columns
export const SIZES = {
  smoke:   { payouts: 500,    files: 10, kills: 25,  servers: 1, workers: 2, atOnce: 4, stepMs: 600 },
  nightly: { payouts: 20_000, files: 50, kills: 500, servers: 3, workers: 4, atOnce: 8, stepMs: 400 },
} as const satisfies Record<string, Size>;
