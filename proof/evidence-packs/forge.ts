/** Forges evidence packs: each way takes a valid pack and returns one that must be detected. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import {
  type ArchiveEntry,
  ArchiveWriter,
  END_BYTES,
  endOf,
  localHeader,
  readDirectory,
} from "#integrity/evidence-pack/archive.ts";
import {
  type Manifest,
  MANIFEST,
  manifestText,
  PACK_FILES,
  SIGNATURE,
} from "#integrity/evidence-pack/manifest.ts";

/** A valid pack, its files, and a function that signs with its real key. */
export interface Original {
  readonly bytes: Buffer;
  readonly files: ReadonlyMap<string, string>;
  readonly sign: (manifest: Buffer) => Buffer;
}

/** Returns a whole number below `below`, from the seed of this forgery. */
export type Dice = (name: string, below: number) => number;

type Forge = (original: Original, dice: Dice, other: Original) => Buffer | Promise<Buffer>;

/** Reads the files of a valid pack. */
export function filesOf(bytes: Buffer): Map<string, string> {
  const start = bytes.readUInt32LE(bytes.length - 6);
  const entries = readDirectory(bytes.subarray(start, bytes.length - END_BYTES)) ?? [];
  return new Map(entries.map((entry) => [entry.name, textOf(bytes, entry)]));
}

const textOf = (bytes: Buffer, entry: ArchiveEntry): string => {
  const from = entry.offset + localHeader(entry).length;
  const packed = bytes.subarray(from, from + entry.packed);
  return (entry.method === "stored" ? packed : inflateRawSync(packed)).toString();
};

const stranger = generateKeyPairSync("ed25519");
const strangerKey = stranger.publicKey
  .export({ format: "der", type: "spki" })
  .subarray(-32)
  .toString("hex");
const strangerSign = (manifest: Buffer): Buffer => sign(null, manifest, stranger.privateKey);

interface Repacked {
  readonly files: ReadonlyMap<string, string>;
  /** Null: the old manifest and signature. */
  readonly sign: ((manifest: Buffer) => Buffer) | null;
  readonly key?: string;
  readonly names?: readonly string[];
  readonly change?: (manifest: Manifest) => Manifest;
}

/** Writes an archive with these files, with or without a new manifest. */
async function repack(pack: Repacked): Promise<Buffer> {
  const { files, sign: signed, names = PACK_FILES, change = (same) => same } = pack;
  const archive = new ArchiveWriter();
  const all: Buffer[] = [];
  const listed: Manifest["files"][number][] = [];
  for (const name of names) {
    const pieces = archive.deflated({ name, content: once(files.get(name) ?? "x\n") });
    for (;;) {
      const { done, value } = await pieces.next();
      if (!done) all.push(value);
      else {
        listed.push(value);
        break;
      }
    }
  }
  const old = JSON.parse(files.get(MANIFEST) ?? "{}") as Manifest;
  const fresh = { ...old, files: listed, archive: archive.written(), key: pack.key ?? old.key };
  const manifest = Buffer.from(signed ? manifestText(change(fresh)) : (files.get(MANIFEST) ?? ""));
  const signature = signed ? `${signed(manifest).toString("hex")}\n` : files.get(SIGNATURE);
  all.push(...archive.stored(MANIFEST, manifest));
  all.push(...archive.stored(SIGNATURE, Buffer.from(signature ?? "")));
  return Buffer.concat([...all, archive.end()]);
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

const withFile = ({ files }: Original, name: string, edit: (text: string) => string) =>
  new Map(files).set(name, edit(files.get(name) ?? ""));

/** Changes one digit of the first amount in every data file. */
const raised = (original: Original): Map<string, string> => {
  const [, amount = ""] =
    /"amount":"(\d+\.\d\d)"/.exec(original.files.get("payouts.jsonl") ?? "") ?? [];
  const files = new Map(original.files);
  for (const name of PACK_FILES)
    files.set(name, (files.get(name) ?? "").replace(amount, `9${amount}`));
  return files;
};

const edited =
  (name: string, edit: (text: string, dice: Dice) => string): Forge =>
  (original, dice) =>
    repack({ files: withFile(original, name, (text) => edit(text, dice)), sign: original.sign });

const lines = (text: string): string[] => text.split("\n").slice(0, -1);
const joined = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

const spliced = (bytes: Buffer, at: number, remove: number, insert: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);

const offsetOf = (bytes: Buffer, dice: Dice): number => {
  const start = bytes.readUInt32LE(bytes.length - 6);
  const entries = readDirectory(bytes.subarray(start, bytes.length - END_BYTES)) ?? [];
  const entry = entries[dice("entry", entries.length)];
  return entry ? endOf(entry) : 0;
};

/** Bytes of the archive are changed. */
const BYTES: Readonly<Record<string, Forge>> = {
  "flipped byte": ({ bytes }, dice) => {
    const forged = Buffer.from(bytes);
    const at = dice("at", bytes.length);
    forged.writeUInt8(forged.readUInt8(at) ^ (1 + dice("bits", 255)), at);
    return forged;
  },
  "flipped bit": ({ bytes }, dice) => {
    const forged = Buffer.from(bytes);
    const at = dice("at", bytes.length);
    forged.writeUInt8(forged.readUInt8(at) ^ (1 << dice("bit", 8)), at);
    return forged;
  },
  truncated: ({ bytes }, dice) => bytes.subarray(0, dice("length", bytes.length)),
  "data after the end": ({ bytes }, dice) =>
    Buffer.concat([bytes, Buffer.alloc(1 + dice("more", 99), dice("byte", 256))]),
  "data before the start": ({ bytes }, dice) =>
    Buffer.concat([Buffer.alloc(1 + dice("more", 99), dice("byte", 256)), bytes]),
  "data between files": ({ bytes }, dice) =>
    spliced(bytes, offsetOf(bytes, dice), 0, Buffer.alloc(1 + dice("more", 99))),
  "removed bytes": ({ bytes }, dice) =>
    spliced(bytes, dice("at", bytes.length - 1), 1 + dice("count", 20), Buffer.alloc(0)),
  "swapped bytes": ({ bytes }, dice) => {
    const [one, other] = [dice("one", bytes.length), dice("other", bytes.length)];
    const forged = Buffer.from(bytes);
    forged[one] = bytes.readUInt8(other);
    forged[other] = bytes.readUInt8(one);
    return forged.equals(bytes) ? Buffer.concat([bytes, Buffer.of(0)]) : forged;
  },
  "archive comment": ({ bytes }) => {
    const forged = Buffer.concat([bytes, Buffer.from("x")]);
    forged.writeUInt16LE(1, bytes.length - 2);
    return forged;
  },
  "other name in the local header": ({ bytes }, dice) => {
    const forged = Buffer.from(bytes);
    const name = PACK_FILES[dice("name", PACK_FILES.length)] ?? "";
    forged.write("q", forged.indexOf(name));
    return forged;
  },
};

/** The archive is written again, without the key of the installation. */
const REPACKED: Readonly<Record<string, Forge>> = {
  "edited amount, old manifest": (original) => repack({ files: raised(original), sign: null }),
  "edited amount, old signature": async (original) => {
    const { files } = original;
    const keep = () => Buffer.from((files.get(SIGNATURE) ?? "").trim(), "hex");
    return repack({ files: raised(original), sign: keep });
  },
  "replaced key": (original) =>
    repack({ files: raised(original), sign: strangerSign, key: strangerKey }),
  "signed by a stranger": (original) => repack({ files: raised(original), sign: strangerSign }),
  "swapped files": (original, dice) => {
    const at = dice("name", PACK_FILES.length - 1);
    const [one = "", other = ""] = PACK_FILES.slice(at);
    const files = new Map(original.files);
    files.set(one, original.files.get(other) ?? "").set(other, original.files.get(one) ?? "");
    return repack({ files, sign: null });
  },
  "file of another pack": (original, dice, other) => {
    // The others are equal in packs of the same batch.
    const name = ["payouts.jsonl", "summary.json", "page.html"][dice("name", 3)] ?? "";
    return repack({
      files: withFile(original, name, () => other.files.get(name) ?? ""),
      sign: null,
    });
  },
  "manifest of another pack": (original, _dice, other) =>
    repack({
      files: new Map(original.files).set(MANIFEST, other.files.get(MANIFEST) ?? ""),
      sign: null,
    }),
};

/** The archive is signed with the real key, but its content is not what payrun writes. */
const SIGNED: Readonly<Record<string, Forge>> = {
  "removed file": (original, dice) => {
    const at = dice("name", PACK_FILES.length);
    const names = PACK_FILES.filter((_, place) => place !== at);
    return repack({ ...original, names });
  },
  "unknown file": (original) => repack({ ...original, names: [...PACK_FILES, "extra.txt"] }),
  "file twice": (original, dice) =>
    repack({
      ...original,
      names: [...PACK_FILES, PACK_FILES[dice("name", PACK_FILES.length)] ?? ""],
    }),
  "reordered files": (original) => repack({ ...original, names: PACK_FILES.toReversed() }),
  "edited CSV": edited("payouts.csv", (text) => text.replace(/\.50/, ".51")),
  "edited amount": edited("payouts.jsonl", (text) => text.replace('"amount":"', '"amount":"1')),
  "edited totals": edited("summary.json", (text) => text.replace('"amount": "', '"amount": "1')),
  "claim without proof": edited("payouts.jsonl", (text) =>
    text.replaceAll('"state":"completed"', '"state":"pending"'),
  ),
  "proof about another amount": edited("payouts.jsonl", (text) =>
    text.replace(/("gatewayNumber"[^}]*?|"amount":"\d+)(\.50)/, "$1.49"),
  ),
  "settled too early": edited("payouts.jsonl", (text) =>
    text.replaceAll('"outcome":"accepted","proven_at"', '"outcome":"settled","proven_at"'),
  ),
  "removed payout": edited("payouts.jsonl", (text) => joined(lines(text).slice(1))),
  "removed transition": edited("payouts.jsonl", (text) => text.replace(/\{"seq":1,[^}]*\},/, "")),
  "removed audit line": edited("audit.jsonl", (text, dice) => {
    const all = lines(text);
    return joined(all.toSpliced(dice("line", all.length), 1));
  }),
  "repeated audit line": edited("audit.jsonl", (text, dice) => {
    const all = lines(text);
    const at = dice("line", all.length);
    return joined(all.toSpliced(at, 0, all[at] ?? ""));
  }),
  "reordered audit lines": edited("audit.jsonl", (text) => joined(lines(text).toReversed())),
  "edited audit entry": edited("audit.jsonl", (text) => text.replace(/"actor":"/, '"actor":"x')),
  "edited subtree": edited("audit.jsonl", (text) =>
    text.replace(
      /("digest":"|"facts_digest":"|"hash":")[0-9a-f]{2}/,
      (all) => `${all.slice(0, -2)}${all.endsWith("00") ? "01" : "00"}`,
    ),
  ),
  "other log root": (original) =>
    repack({
      ...original,
      change: (manifest) => ({
        ...manifest,
        log: { ...manifest.log, root: createHash("sha256").update("x").digest("hex") },
      }),
    }),
  "other subject": (original) =>
    repack({
      ...original,
      change: (manifest) => ({ ...manifest, subject: { ...manifest.subject, id: "OTHER" } }),
    }),
};

/** All ways to forge a pack, by name. */
export const FORGERIES: Readonly<Record<string, Forge>> = { ...BYTES, ...REPACKED, ...SIGNED };
