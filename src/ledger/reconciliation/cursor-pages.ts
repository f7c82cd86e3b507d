/** Number of rows per fetch, about 1 MB. */
export const FETCH_ROWS = 5_000;

/** Runs the statements of two cursors one after the other, because they share one connection. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(work);
    // The reader of the page reports the error.
    this.#last = turn.catch(() => null);
    return turn;
  }

  async end(): Promise<void> {
    await this.#last;
  }
}

/**
 * Walks through a cursor in pages, and closes it at its end. PostgreSQL prepares the next page
 * while the application compares this one.
 */
export async function* walk<Fetched>(
  fetch: () => Promise<{ readonly rows: readonly unknown[] }>,
  recordOf: (row: never) => Fetched,
  close: () => Promise<unknown>,
): AsyncGenerator<readonly Fetched[]> {
  let next = fetch();
  try {
    for (let isLast = false; !isLast; ) {
      // The columns of the cursor.
      const rows = (await next).rows as readonly never[];
      isLast = rows.length < FETCH_ROWS;
      next = isLast ? next : fetch();
      yield rows.map(recordOf);
    }
    await close();
  } finally {
    await next.catch(() => null);
  }
}
