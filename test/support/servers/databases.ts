import { inject } from "vitest";

const made = new Set<string>();

/** Address of a new database in the PostgreSQL that the test files share. */
export async function sharedDatabase(kind: "empty" | "migrated"): Promise<string> {
  const url = await ask("POST", `/${kind}`);
  made.add(url);
  return url;
}

/** Databases created by this test file: hundreds of them would fill a disk. */
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
