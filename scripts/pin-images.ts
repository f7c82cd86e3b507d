/**
 * `npm run pin-images`: writes the digest of each image into deploy/images.env. It asks the
 * registries through Docker, so it needs Docker with buildx and a network.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LINE = /^(?:# )?(\w+_IMAGE)=([^@\s]+)(?:@sha256:[\da-f]{64})?$/;
const DIGEST = /^sha256:[\da-f]{64}$/;

/**
 * Returns the text of images.env with the digest of each image.
 * @throws if a registry returns no digest.
 */
export const pinned = (text: string, digestOf: (image: string) => string): string =>
  text
    .split("\n")
    .map((line) => {
      const [, name, image] = LINE.exec(line) ?? [];
      if (name === undefined || image === undefined) return line;
      const digest = digestOf(image);
      if (!DIGEST.test(digest)) throw new Error(`${image}: expected a digest, found "${digest}"`);
      return `${name}=${image}@${digest}`;
    })
    .join("\n");

if (import.meta.main) {
  const path = join(import.meta.dirname, "../deploy/images.env");
  const inspect = ["buildx", "imagetools", "inspect", "--format", "{{.Manifest.Digest}}"];
  const digestOf = (image: string) =>
    execFileSync("docker", [...inspect, image], { encoding: "utf8" }).trim();
  writeFileSync(path, pinned(readFileSync(path, "utf8"), digestOf));
}
