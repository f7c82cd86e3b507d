/**
 * Adds TLS and a delay in front of a gateway, as a gateway in another data centre would.
 *
 * Run as: node bench/process/tls-gateway.ts URL DELAY_MS FOLDER. Writes its certificate to
 * FOLDER/ca.pem and prints its address.
 */
import { writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { generate } from "selfsigned";

const [url = "", delayMs = "0", folder = ""] = process.argv.slice(2);
const { port, hostname } = new URL(url);
const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], {
  keyType: "ec",
  algorithm: "sha256",
});
writeFileSync(join(folder, "ca.pem"), cert);

const server = createServer({ key, cert }, (outside) => {
  const inside = connect(Number(port), hostname);
  outside.pipe(inside);
  inside.on("data", (bytes: Buffer) => setTimeout(() => outside.write(bytes), Number(delayMs)));
  inside.on("end", () => setTimeout(() => outside.end(), Number(delayMs)));
  outside.on("error", () => inside.destroy());
  inside.on("error", () => outside.destroy());
  outside.on("close", () => inside.destroy());
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address() as AddressInfo;
  process.stdout.write(`https://localhost:${address.port}\n`);
});
