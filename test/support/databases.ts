import { inject } from "vitest";

const made = new Set<string>();

/** The address of a database of its own, in the PostgreSQL that the test files share. */
export async function sharedDatabase(kind: "empty" | "migrated"): Promise<string> {
  const url = await ask("POST", `/${kind}`);
  made.add(url);
  return url;
}

/** Those that this test file has made: hundreds of them would fill a disk. */
export async function dropDatabases(): Promise<void> {
  await Promise.all([...made].map((url) => ask("DELETE", "/", url)));
  made.clear();
}

async function ask(method: string, path: string, body?: string): Promise<string> {
  const answer = await fetch(`${inject("databases")}${path}`, {
    method,
    ...(body ? { body } : {}),
  });
  const said = await answer.text();
  if (!answer.ok) throw new Error(said);
  return said;
}
