import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { findPgBouncer } from "../../../scripts/prepare-tests.ts";
import { atExit } from "./at-exit.ts";
import { eventually } from "./eventually.ts";
import { onFreePort } from "./ports.ts";

/** A real PgBouncer in front of a database. */
export interface PgBouncer {
  /** The address of the database through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPgBouncer(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<PgBouncer> {
  const binary = findPgBouncer();
  if (!binary) throw new Error("no PgBouncer on this machine");
  const target = new URL(databaseUrl);
  const name = target.pathname.slice(1);
  const folder = mkdtempSync(join(tmpdir(), "payrun-pgbouncer-"));
  chmodSync(folder, 0o755);
  let server: ChildProcess | null = null;
  let url = "";
  const users = join(folder, "users.txt");
  writeFileSync(users, `"${target.username}" "${decodeURIComponent(target.password)}"\n`);
  await onFreePort(async (port) => {
    const config = join(folder, "pgbouncer.ini");
    const all = {
      listen_addr: "127.0.0.1",
      listen_port: String(port),
      unix_socket_dir: "",
      auth_type: "scram-sha-256",
      auth_file: users,
      default_pool_size: "20",
      ...settings,
    };
    const lines = Object.entries(all).map(([key, value]) => `${key} = ${value}`);
    writeFileSync(
      config,
      `[databases]\n${name} = host=${target.hostname} port=${target.port}\n[pgbouncer]\n${lines.join("\n")}\n`,
    );
    // It refuses to run as root.
    const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    server = spawn(binary, ["-q", config], { ...account, stdio: "ignore" });
    url = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(port) }).href;
    return eventually("PgBouncer answers", async () => {
      // Null: another process has taken its port.
      if (server?.exitCode != null) return null;
      const client = new Client({ connectionString: url });
      client.on("error", () => {});
      return client.connect().then(
        async () => {
          await client.end();
          return true;
        },
        () => false,
      );
    });
  });
  const stop = async () => {
    rmSync(folder, { recursive: true, force: true });
    if (!server || server.exitCode !== null) return;
    const gone = once(server, "exit");
    server.kill("SIGTERM");
    server.kill("SIGKILL");
    await gone;
  };
  atExit(() => server?.kill("SIGKILL"));
  return { url, stop };
}
