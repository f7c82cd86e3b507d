/** The PostgreSQL that the test files of a run share. Vitest starts it on the first request. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TestProject } from "vitest/node";
import { openDatabase } from "#ledger/store/database.ts";
import { migrate } from "#ledger/store/migrate.ts";
import type { RoleAddresses } from "#ledger/store/owner-role.ts";
import { type PostgresServer, startPostgres, type TestDatabase } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where test files request databases. */
    readonly databases: string;
  }
}

export async function migrated(roles: RoleAddresses): Promise<void> {
  const database = openDatabase(roles.url);
  await migrate(database, roles);
  // As in an installation from before the policy: only its own tests turn it on.
  await database.deleteFrom("second_factor_roles").execute();
  await database.destroy();
}

export default async function share(project: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<PostgresServer> | null = null;
  const databases = new Map<string, TestDatabase>();

  /**
   * POST /migrated or /empty creates a database and returns its address; DELETE takes an address.
   */
  async function answer(request: IncomingMessage): Promise<string> {
    if (request.method === "DELETE") {
      const url = await text(request);
      await databases.get(url)?.drop();
      databases.delete(url);
      return "";
    }
    const server = await (postgres ??= startPostgres({ max_connections: "300" }));
    const made = await server.createDatabase(request.url === "/migrated" ? migrated : undefined);
    databases.set(made.url, made);
    return made.url;
  }

  const desk = createServer((request, response) => {
    answer(request).then(
      (said) => response.end(said),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  });
  await new Promise<void>((resolve) => desk.listen(0, "127.0.0.1", resolve));
  project.provide("databases", `http://127.0.0.1:${(desk.address() as AddressInfo).port}`);
  return async () => {
    desk.closeAllConnections();
    desk.close();
    await (await postgres)?.stop();
  };
}
