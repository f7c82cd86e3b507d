import { equal, notEqual } from "node:assert/strict";
import { sha256 } from "@noble/hashes/sha2.js";
import { base58, bech32, bech32m, createBase58check } from "@scure/base";
import fc from "fast-check";
import { type Chain, checkAddress } from "#payout/rules/addresses.ts";
import { law } from "../base/law.ts";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const base58check = createBase58check(sha256);
const BASE58 = Array.from("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
const BECH32 = Array.from("qpzry9x8gf2tvdw0s3jn54khce6mua7l");

/** Valid addresses of random keys, as the wallets of each chain write them. */
const tron = bytes(20).map((key) => base58check.encode(Uint8Array.of(0x41, ...key)));
const oldBitcoin = fc
  .tuple(fc.constantFrom(0x00, 0x05), bytes(20))
  .map(([version, key]) => base58check.encode(Uint8Array.of(version, ...key)));
const segwit: fc.Arbitrary<string> = fc.oneof(
  fc
    .oneof(bytes(20), bytes(32))
    .map((program) => bech32.encode("bc", [0, ...bech32.toWords(program)])),
  bytes(32).map((program) => bech32m.encode("bc", [1, ...bech32m.toWords(program)])),
);
const addresses: fc.Arbitrary<readonly [Chain, string]> = fc.oneof(
  tron.map((address) => ["tron", address] as const),
  oldBitcoin.map((address) => ["bitcoin", address] as const),
  segwit.map((address) => ["bitcoin", address] as const),
);

const swapped = (text: string, at: number): string =>
  text.slice(0, at) + text.slice(at + 1, at + 2) + text.slice(at, at + 1) + text.slice(at + 2);
const replaced = (text: string, at: number, char: string): string =>
  text.slice(0, at) + char + text.slice(at + 1);

/** An EVM address in the case of its checksum: the only spelling that the check calls valid. */
const EVM = [
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

export const ADDRESS_LAWS = [
  law(
    "an address of a random key is valid on its chain and on no other",
    addresses,
    ([chain, address]) => {
      for (const other of ["tron", "evm", "bitcoin"] as const) {
        equal(checkAddress(other, address) === "valid", other === chain);
      }
    },
  ),
  law(
    "one mistyped character of an address is found",
    fc.tuple(addresses, fc.nat(), fc.constantFrom(...BASE58)),
    ([[chain, address], at, typed]) => {
      const mistyped = replaced(address, at % address.length, typed);
      fc.pre(mistyped !== address);
      notEqual(checkAddress(chain, mistyped), "valid");
    },
  ),
  law(
    "two swapped neighbours in an address are found",
    fc.tuple(addresses, fc.nat()),
    ([[chain, address], at]) => {
      const mistyped = swapped(address, at % (address.length - 1));
      fc.pre(mistyped !== address);
      notEqual(checkAddress(chain, mistyped), "valid");
    },
  ),
  law(
    "a character of an address that is missing or doubled is found",
    fc.tuple(addresses, fc.nat()),
    ([[chain, address], pick]) => {
      const at = pick % address.length;
      notEqual(checkAddress(chain, address.slice(0, at) + address.slice(at + 1)), "valid");
      notEqual(
        checkAddress(chain, address.slice(0, at) + address[at] + address.slice(at)),
        "valid",
      );
    },
  ),
  law(
    "up to four wrong characters of a bech32 address are found, as its code promises",
    fc.tuple(
      segwit,
      fc.uniqueArray(fc.tuple(fc.nat(), fc.constantFrom(...BECH32)), {
        minLength: 1,
        maxLength: 4,
      }),
    ),
    ([address, mistakes]) => {
      const mistyped = mistakes.reduce(
        (text, [at, typed]) => replaced(text, 4 + (at % (address.length - 4)), typed),
        address,
      );
      fc.pre(mistyped !== address);
      notEqual(checkAddress("bitcoin", mistyped), "valid");
    },
  ),
  law(
    "an address of another network or kind is refused",
    fc.tuple(bytes(20), fc.nat(255)),
    ([key, version]) => {
      const address = base58check.encode(Uint8Array.of(version, ...key));
      equal(checkAddress("bitcoin", address) === "valid", version === 0x00 || version === 0x05);
      equal(checkAddress("tron", address) === "valid", version === 0x41);
    },
  ),
  law(
    "a key of another length is no address, even with a correct checksum",
    fc.tuple(fc.uint8Array({ minLength: 10, maxLength: 30 }), fc.constantFrom(0x00, 0x05, 0x41)),
    ([key, version]) => {
      fc.pre(key.length !== 20);
      const address = base58check.encode(Uint8Array.of(version, ...key));
      for (const chain of ["tron", "bitcoin"] as const)
        notEqual(checkAddress(chain, address), "valid");
    },
  ),
  law(
    "one letter of an EVM address in the wrong case is found",
    fc.tuple(fc.constantFrom(...EVM), fc.nat()),
    ([address, pick]) => {
      equal(checkAddress("evm", address), "valid");
      const letters = Array.from(address.slice(2)).flatMap((char, i) =>
        /[a-f]/i.test(char) ? [i + 2] : [],
      );
      const at = letters[pick % letters.length] ?? 2;
      const char = address[at] ?? "";
      const other = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase();
      equal(checkAddress("evm", replaced(address, at, other)), "bad_checksum");
    },
  ),
  law(
    "no text makes the address check throw",
    fc.tuple(
      fc.constantFrom<Chain>("tron", "evm", "bitcoin"),
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.uint8Array({ minLength: 1 }).map((raw) => base58.encode(raw)),
      ),
    ),
    ([chain, text]) => {
      notEqual(checkAddress(chain, text), "valid");
    },
  ),
];
