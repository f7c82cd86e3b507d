import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { describe, expect, test } from "vitest";
import { type Chain, CHAINS, checkAddress, isChain } from "#payout/rules/addresses.ts";

/** EIP-55, BIP 173 and BIP 350 print these. The Tron ones contain a random key hash. */
const VALID = [
  ["evm", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
  ["evm", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
  ["evm", "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB"],
  ["evm", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb"],
  ["bitcoin", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
  ["bitcoin", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"],
  ["bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  ["bitcoin", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"],
  ["bitcoin", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"],
  ["tron", "TYK2LXkv7YLPedVkXMfSU7x2kLpqRK6RNC"],
  ["tron", "THFpLdWHyteCPU6Sir7jKYYxwmzwdzdedb"],
] as const satisfies readonly (readonly [Chain, string])[];

test.each(VALID)("accepts %s %s", (chain, address) => {
  expect(checkAddress(chain, address)).toBe("valid");
});

test.each([
  ["bitcoin", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "not_an_address"], // test network
  ["bitcoin", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", "not_an_address"], // test network
  ["bitcoin", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", "bad_checksum"], // bech32 where bech32m is required
  ["bitcoin", "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P", "bad_checksum"], // 16 bytes in version 0
  ["bitcoin", "bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du", "bad_checksum"], // bech32 in version 2
  ["evm", "0x52908400098527886e0f7030069857d2e4169ee7", "valid_without_checksum"],
  ["evm", "0x52908400098527886E0F7030069857D2E4169EE7", "valid_without_checksum"],
  ["evm", "52908400098527886E0F7030069857D2E4169EE7", "not_an_address"],
  ["tron", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "not_an_address"],
  ["tron", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "not_an_address"],
  ["evm", "TYK2LXkv7YLPedVkXMfSU7x2kLpqRK6RNC", "not_an_address"],
] as const)("%s %s: %s", (chain, address, verdict) => {
  expect(checkAddress(chain, address)).toBe(verdict);
});

test.each(VALID)("refuses %s %s with anything around it", (chain, address) => {
  for (const text of [` ${address}`, `${address} `, `${address}\n`, `x\n${address}`])
    expect(checkAddress(chain, text)).toBe("not_an_address");
});

test.each([
  ["evm", "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
  ["bitcoin", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"],
  ["bitcoin", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLz"],
  ["bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"],
  ["bitcoin", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T5"],
  ["bitcoin", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj8"],
  ["tron", "TYK2LXkv7YLPedVkXMfSU7x2kLpqRK6RND"],
] as const)("finds a wrong checksum in %s %s with one changed character", (chain, address) => {
  expect(checkAddress(chain, address)).toBe("bad_checksum");
});

const base58check = createBase58check(sha256);
const key = (length: number) => Uint8Array.from({ length }, (_, i) => i + 7);

test("identifies the owner of a decoded address by its first byte and length", () => {
  const versions = Array.from({ length: 256 }, (_, version) => version);
  const valid = (chain: Chain, length: number) =>
    versions.filter(
      (version) =>
        checkAddress(chain, base58check.encode(Uint8Array.of(version, ...key(length)))) === "valid",
    );
  expect([valid("tron", 20), valid("bitcoin", 20)]).toEqual([[0x41], [0x00, 0x05]]);
  for (const length of [18, 19, 21])
    expect([valid("tron", length), valid("bitcoin", length)]).toEqual([[], []]);
});

describe("a segwit address", () => {
  const addressOf = (coder: typeof bech32, version: number, length: number) =>
    coder.encode("bc", [version, ...coder.toWords(key(length))], false);
  const validLengths = (coder: typeof bech32, version: number) =>
    Array.from({ length: 45 }, (_, length) => length).filter(
      (length) => checkAddress("bitcoin", addressOf(coder, version, length)) === "valid",
    );

  test("of version 0 is encoded as in BIP 173, for 20 or 32 bytes", () => {
    expect([validLengths(bech32, 0), validLengths(bech32m, 0)]).toEqual([[20, 32], []]);
  });

  test("of version 1 is encoded as in BIP 350, for 32 bytes", () => {
    expect([validLengths(bech32m, 1), validLengths(bech32, 1)]).toEqual([[32], []]);
  });

  test.each([2, 3, 15, 16])("of version %i may contain 2 to 40 bytes", (version) => {
    const lengths = Array.from({ length: 39 }, (_, i) => i + 2);
    expect([validLengths(bech32m, version), validLengths(bech32, version)]).toEqual([lengths, []]);
  });

  test.each([17, 31])("has no version %i", (version) => {
    expect([validLengths(bech32m, version), validLengths(bech32, version)]).toEqual([[], []]);
  });
});

test("requires a chain of the table and describes its addresses", () => {
  const names = ["tron", "evm", "bitcoin", "dogecoin", "constructor"];
  expect(names.map(isChain)).toEqual([true, true, true, false, false]);
  expect(Object.values(CHAINS).map(({ expected }) => expected)).toEqual([
    expect.stringMatching(/^a Tron address: .+ checksum$/),
    expect.stringMatching(/^an EVM address: .+ that its checksum requires$/),
    expect.stringMatching(/^a Bitcoin mainnet address .+ checksum$/),
  ]);
});
