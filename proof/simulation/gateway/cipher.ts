import { createCipheriv, createDecipheriv, createHash, createSecretKey } from "node:crypto";

/**
 * The gateway's side of the encryption, written from gateway.md section 1 and not from the
 * product's code, so that it does not repeat the product's mistakes.
 */
export interface GatewayCipher {
  seal(text: string): string;
  /** Null: it does not decrypt. */
  open(sealed: string): string | null;
}

/** Creates the cipher of a merchant, written independently of payrun's. */
export function gatewayCipherOf(apiKey: string, apiSecret: string): GatewayCipher {
  const key = createSecretKey(createHash("sha256").update(apiKey).digest());
  const iv = Buffer.from(
    createHash("sha256").update(apiSecret).digest("hex").slice(0, 16),
    "ascii",
  );
  // Each block is chained to the previous one: after the IV a message decrypts as with a new
  // decipher, which costs more to create.
  const opener = createDecipheriv("aes-256-cbc", key, iv).setAutoPadding(false);
  return {
    seal(text) {
      const cipher = createCipheriv("aes-256-cbc", key, iv);
      return Buffer.concat([cipher.update(text, "utf8"), cipher.final()]).toString("base64");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64");
      if (bytes.length === 0 || bytes.length % iv.length !== 0) return null;
      const padded = opener.update(Buffer.concat([iv, bytes])).subarray(iv.length);
      const count = padded.at(-1) ?? 0;
      const padding = padded.subarray(-count);
      return count >= 1 && count <= iv.length && padding.every((byte) => byte === count)
        ? padded.toString("utf8", 0, padded.length - count)
        : null;
    },
  };
}
