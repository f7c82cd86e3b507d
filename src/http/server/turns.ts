/**
 * Creates a function that runs works with the same name one after another, in the order of the
 * calls. A work that waits holds no connection to the database.
 */
export function createTurns(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const lasts = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const done = (lasts.get(name) ?? Promise.resolve()).then(work);
    const ended = done.catch(() => {});
    lasts.set(name, ended);
    try {
      return await done;
    } finally {
      if (lasts.get(name) === ended) lasts.delete(name);
    }
  };
}
